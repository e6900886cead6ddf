// What must be done to a terminal inside of a signal's handler, where no Swift may run: to give it
// back as it was. There is one terminal for a process.
//
// Every function returns a result >= 0, or a negated errno.
#ifndef C_SURF_TTY_H
#define C_SURF_TTY_H

#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

/// The most octets that give a terminal back.
#define SURF_TTY_BYTES_MAX 256

/// Takes over the signals that end or stop this process, crashes among them, and those of size and
/// continuation, which write to `waker`, an eventfd. -EBUSY if there is a terminal already.
int surf_tty_begin(int fd, int waker);

/// From now on the terminal is ours, and raw: whoever gives it back writes these octets and sets
/// this mode. -EINVAL if they are too many, -EIO if the process ends.
int surf_tty_hold(int fd, const struct termios *mode, const char *bytes, size_t count);

/// As many octets as the terminal takes now; none while it is not ours. -EIO if the process ends.
ssize_t surf_tty_write(int fd, const void *bytes, size_t count);

/// Gives the terminal back if it is ours; within half a second, also if it takes no octet, and
/// unless another thread is at it. May be called in a handler.
void surf_tty_give_back(void);

/// For who ends the process: ends the job, and gives the terminal and the output back for good. May
/// be called in a handler. Nothing happens without a terminal.
void surf_tty_leave(void);

/// Whether the terminal is ours.
int surf_tty_is_held(void);

/// Starts a program in a group of its own and gives it the terminal, with signals as at a login.
/// Returns its process. There is one such job at a time.
int surf_tty_start(int fd, char *const words[]);

enum surf_tty_job { SURF_TTY_RUNNING, SURF_TTY_STOPPED, SURF_TTY_ENDED };

/// How the job is. The status of one that has ended is as wait(2) has it.
enum surf_tty_job surf_tty_look_at_job(int *status);

/// Ends the job as a shell that goes away does, or by force after one and a half seconds; and takes
/// the terminal back.
void surf_tty_end_job(int fd);

/// Gives the terminal to a group of processes, also from the background.
int surf_tty_set_owner(int fd, pid_t group);

/// The same, if the terminal is `former`'s or this process's: a shell may have taken it.
int surf_tty_change_owner(int fd, pid_t former, pid_t group);

/// Whether the terminal was given back for good: a signal came that ends most programs.
int surf_tty_is_ended(void);

/// Whether the signal came since the last call.
int surf_tty_take_resized(void);
int surf_tty_take_continued(void);

/// From now on standard output and error go to memory, each that is a terminal, and writing to them
/// never waits. Of what is kept at the end, the newest `size_max` octets are shown behind the
/// picture, with a word on what was cut. A terminal must be open.
int surf_tty_keep_output(size_t size_max);

/// Frees the memory of what is beyond the bound.
void surf_tty_trim_output(void);

/// From now on a signal writes to `waker`, an eventfd. -EBUSY if one does already.
int surf_tty_call_by(int number, int waker);

/// Gives back the terminal and the output, and the signals to those who had them.
void surf_tty_end(void);

#endif
