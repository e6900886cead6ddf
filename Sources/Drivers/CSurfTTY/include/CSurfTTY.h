// Gives a terminal back as it was, even in a signal handler, where no Swift may run. A process has
// one terminal.
//
// Every function returns a result >= 0, or a negated errno.
#ifndef C_SURF_TTY_H
#define C_SURF_TTY_H

#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

/// The most octets that give a terminal back.
#define SURF_TTY_BYTES_MAX 256

/// Takes over the signals that end or stop this process, crashes among them. Also takes over those
/// of size and continuation, which write to `waker`, an eventfd. -EBUSY if there is a terminal
/// already.
int surf_tty_begin(int fd, int waker);

/// From now on the terminal is ours, and raw. Giving it back writes these octets and sets this
/// mode. Returns -EINVAL for too many octets, -EIO if the process ends.
int surf_tty_hold(int fd, const struct termios *mode, const char *bytes, size_t count);

/// Writes as many octets as the terminal takes now; none while it is not ours. -EIO if the process
/// ends.
ssize_t surf_tty_write(int fd, const void *bytes, size_t count);

/// Gives the terminal back if it is ours. Takes at most half a second, even if the terminal takes
/// no octet, unless another thread has the claim. May be called in a handler.
void surf_tty_give_back(void);

/// For code that ends the process: ends the job, and gives the terminal and the output back for
/// good. May be called in a handler. Does nothing without a terminal.
void surf_tty_leave(void);

/// Whether the terminal is ours.
int surf_tty_is_held(void);

/// Starts a program in a group of its own and gives it the terminal, with signals as at a login.
/// Returns its process. There is one such job at a time.
int surf_tty_start(int fd, char *const words[]);

enum surf_tty_job { SURF_TTY_RUNNING, SURF_TTY_STOPPED, SURF_TTY_ENDED };

/// The state of the job. If it has ended, `status` is as in wait(2).
enum surf_tty_job surf_tty_look_at_job(int *status);

/// Ends the job as a shell does when it exits, or by force after one and a half seconds. Takes the
/// terminal back.
void surf_tty_end_job(int fd);

/// Gives the terminal to a group of processes, also from the background.
int surf_tty_set_owner(int fd, pid_t group);

/// The same, if the terminal is `former`'s or this process's: a shell may have taken it.
int surf_tty_change_owner(int fd, pid_t former, pid_t group);

/// Whether the terminal was given back for good, after a signal that ends most programs.
int surf_tty_is_ended(void);

/// Whether the signal arrived since the last call.
int surf_tty_take_resized(void);
int surf_tty_take_continued(void);

/// From now on, each of standard output and error that is a terminal goes to memory, and writing to
/// it never waits. In the end the newest `size_max` octets are shown after the picture, with a line
/// about what was cut. A terminal must be open.
int surf_tty_keep_output(size_t size_max);

/// Frees the memory of output beyond the bound.
void surf_tty_trim_output(void);

/// From now on a signal writes to `waker`, an eventfd. -EBUSY if one does already.
int surf_tty_call_by(int number, int waker);

/// Gives back the terminal and the output, and restores the signals' former actions.
void surf_tty_end(void);

#endif
