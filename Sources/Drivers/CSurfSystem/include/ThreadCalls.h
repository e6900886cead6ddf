// The few calls about threads that Swift cannot make: those behind _GNU_SOURCE, and those whose
// headers it does not read. Separate from the calls about sockets, so that the linker can leave
// those out of an app that is off. No policy lives here.
//
// Every function returns a result >= 0, or a negated errno.
#ifndef SURF_THREAD_CALLS_H
#define SURF_THREAD_CALLS_H

#include <poll.h>
#include <time.h>

/// A non-blocking eventfd that child processes do not inherit.
int surf_waker_create(void);
void surf_waker_set(int fd);
void surf_waker_clear(int fd);

/// A non-blocking timerfd of the monotonic clock that child processes do not inherit.
int surf_timer_create(void);
/// Makes the timer readable from `time` on and not before, whatever was set earlier. `time` is not
/// negative.
void surf_timer_set(int fd, struct timespec time);

/// ppoll; if `timeout` is NULL, waits forever.
int surf_poll(struct pollfd *fds, unsigned count, const struct timespec *timeout);

/// Names the calling thread; the kernel takes at most 15 bytes.
int surf_name_thread(const char *name);

#endif
