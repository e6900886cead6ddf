// Between the files of this module.
#ifndef C_SURF_TTY_OUTPUT_H
#define C_SURF_TTY_OUTPUT_H

#include <stddef.h>

/// Writes everything to a terminal that does not block, and waits while it takes nothing. Not 0 if
/// that lasts for half a second.
int surf_tty_write_all(int fd, const char *bytes, size_t count);

/// While output is kept, flushes standard output: the text in its buffer is to be kept, too. Not in
/// a handler.
void surf_tty_flush_output(void);

/// Gives standard output and error back, and writes what was kept to the terminal. Needs a claim;
/// nothing happens the second time.
void surf_tty_release_output(int terminal);

#endif
