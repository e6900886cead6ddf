#define _GNU_SOURCE
#include "CSurfTTY.h"
#include "claim.h"
#include "job.h"
#include "output.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The mode and the octets that give the terminal back.
static struct {
  struct termios mode;
  char bytes[SURF_TTY_BYTES_MAX];
  size_t count;
} hold;

static atomic_int is_open, is_held, is_resized, is_continued;
// The terminal was given back for good: from then on nobody writes to it or takes it.
static atomic_int is_ended;
// Never reset: anything written to the terminal from now on would stay there.
static atomic_int is_exiting;
static pid_t owner_pid;
static atomic_int terminal = -1, alarm_fd = -1;

// The former actions, by signal number. Signals that ended the process before us are ours
// meanwhile.
static struct sigaction before_ending[_NSIG], before_stop, before_size, before_continue;
static char is_ours[_NSIG];

enum fate { CAUGHT_ALWAYS, CAUGHT_BY_DEFAULT, NOT_CAUGHT };

// Every signal that ends a process unless the process has a handler (signal(7)), real-time signals
// among them. If the program has its own handler for one that is CAUGHT_BY_DEFAULT, that signal
// does not end it.
static enum fate fate_of(int number) {
  switch (number) {
  case SIGTERM: case SIGHUP: case SIGINT: case SIGQUIT: case SIGSEGV: case SIGBUS: case SIGILL:
  case SIGFPE: case SIGABRT: case SIGTRAP: case SIGSYS:
    return CAUGHT_ALWAYS;
  case SIGKILL: case SIGSTOP: case SIGTSTP: case SIGTTIN: case SIGTTOU: case SIGCONT: case SIGCHLD:
  case SIGURG: case SIGWINCH:
    return NOT_CAUGHT;
  default:
    return CAUGHT_BY_DEFAULT;
  }
}

// Gives up after five waits of 100 ms without progress: a terminal that takes nothing must not hold
// up the end.
int surf_tty_write_all(int fd, const char *bytes, size_t count) {
  for (int tries = 0; count > 0 && tries < 5;) {
    ssize_t written = write(fd, bytes, count);
    if (written > 0) {
      surf_tty_note_progress();
      bytes += written;
      count -= (size_t)written;
      tries = 0;
    } else if (written < 0 && errno == EINTR) {
      continue;
    } else if (written < 0 && errno == EAGAIN) {
      struct pollfd entry = {.fd = fd, .events = POLLOUT};
      (void)poll(&entry, 1, 100);
      tries++;
    } else {
      return -1;
    }
  }
  return count == 0 ? 0 : -1;
}

static void give_back(void) {
  if (!atomic_load(&is_held)) return;
  int fd = atomic_load(&terminal);
  // If we are in the background, the terminal is the shell's, in the mode that the shell set.
  pid_t owner = tcgetpgrp(fd);
  if (owner <= 0 || owner == getpgrp()) {
    (void)surf_tty_write_all(fd, hold.bytes, hold.count);
    // Do not wait for the output to drain: it may never do so.
    (void)tcsetattr(fd, TCSANOW, &hold.mode);
  }
  // Only now: if a fault interrupts this, its handler must do it again before the process ends.
  atomic_store(&is_held, 0);
}

void surf_tty_give_back(void) {
  struct surf_tty_claim claim;
  int saved = errno;
  surf_tty_claim(&claim);
  give_back();
  surf_tty_release(&claim);
  errno = saved;
}

int surf_tty_is_held(void) { return atomic_load(&is_held); }

static int take(int fd, const struct termios *mode, const char *bytes, size_t count) {
  struct termios raw = *mode;
  hold.mode = *mode;
  memcpy(hold.bytes, bytes, count);
  hold.count = count;
  atomic_store(&is_held, 1);
  cfmakeraw(&raw);
  return tcsetattr(fd, TCSANOW, &raw) == 0 ? 0 : -errno;
}

int surf_tty_hold(int fd, const struct termios *mode, const char *bytes, size_t count) {
  struct surf_tty_claim claim;
  if (count > SURF_TTY_BYTES_MAX) return -EINVAL;
  surf_tty_claim(&claim);
  int result = surf_tty_is_ended() ? -EIO : take(fd, mode, bytes, count);
  surf_tty_release(&claim);
  return result;
}

ssize_t surf_tty_write(int fd, const void *bytes, size_t count) {
  struct surf_tty_claim claim;
  ssize_t result = 0;
  surf_tty_claim(&claim);
  if (surf_tty_is_ended())
    result = -EIO;
  else if (atomic_load(&is_held) && (result = write(fd, bytes, count)) < 0)
    result = -errno;
  surf_tty_release(&claim);
  return result == -EINTR || result == -EAGAIN ? 0 : result;
}

static void wake(void) {
  int saved = errno;
  uint64_t one = 1;
  (void)!write(atomic_load(&alarm_fd), &one, sizeof one);
  errno = saved;
}

// First the job, which may still print. Then the kept output: after the picture, and before
// anything that is printed from now on.
static void give_all_back(void) {
  struct surf_tty_claim claim;
  int saved = errno, fd = atomic_load(&terminal), is_orderly;
  surf_tty_claim(&claim);
  if (surf_tty_end_job_claimed(fd, &is_orderly)) {
    // A job that exits on its own has left its screen already. Leaving it twice would move the
    // cursor back over the job's last words.
    if (is_orderly) hold.count = 0;
    atomic_store(&is_held, 1);
  }
  give_back();
  surf_tty_release_output(fd);
  surf_tty_release(&claim);
  errno = saved;
}

void surf_tty_leave(void) {
  // A forked child has no terminal to give back.
  if (getpid() != owner_pid) return;
  atomic_store(&is_ended, 1);
  give_all_back();
}

static void at_exit(void) {
  if (getpid() == owner_pid) atomic_store(&is_exiting, 1);
  surf_tty_leave();
}

static void on_end(int number) {
  struct surf_tty_claim claim;
  // Keep the claim to the end: `surf_tty_end` waits for it before the eventfd is closed.
  surf_tty_claim(&claim);
  surf_tty_leave();
  // A program that continues has its terminal back, but no screen.
  wake();
  surf_tty_release(&claim);
  // As without us: the signal's former action follows once this handler returns.
  (void)sigaction(number, &before_ending[number], NULL);
  (void)raise(number);
}

static void on_stop(int number) {
  int saved = errno;
  struct sigaction ours, theirs = {.sa_handler = SIG_DFL};
  sigset_t stop;
  surf_tty_give_back();
  sigemptyset(&stop);
  sigaddset(&stop, number);
  (void)sigaction(number, &theirs, &ours);
  (void)raise(number);
  // Stops here, and goes on after SIGCONT.
  (void)pthread_sigmask(SIG_UNBLOCK, &stop, NULL);
  (void)sigaction(number, &ours, NULL);
  errno = saved;
}

static atomic_int call_fd = -1;
static struct sigaction before_call;

static void on_call(int number) {
  int saved = errno;
  uint64_t one = 1;
  (void)number;
  (void)!write(atomic_load(&call_fd), &one, sizeof one);
  errno = saved;
}

int surf_tty_call_by(int number, int waker) {
  int none = -1;
  struct sigaction ours = {.sa_handler = on_call, .sa_flags = SA_RESTART | SA_ONSTACK};
  if (!atomic_compare_exchange_strong(&call_fd, &none, waker)) return -EBUSY;
  if (sigaction(number, &ours, &before_call) == 0) return 0;
  int error = errno;
  atomic_store(&call_fd, -1);
  return -error;
}

static void on_size(int number) {
  (void)number;
  atomic_store(&is_resized, 1);
  wake();
}

static void on_continue(int number) {
  (void)number;
  atomic_store(&is_continued, 1);
  wake();
}

int surf_tty_is_ended(void) { return atomic_load(&is_ended) || atomic_load(&is_exiting); }
int surf_tty_take_resized(void) { return atomic_exchange(&is_resized, 0); }
int surf_tty_take_continued(void) { return atomic_exchange(&is_continued, 0); }

// An ignored signal stays ignored, as `nohup` requires.
static void install(int number, void (*handler)(int), struct sigaction *before) {
  struct sigaction ours = {.sa_handler = handler, .sa_flags = SA_RESTART | SA_ONSTACK};
  (void)sigaction(number, NULL, before);
  if (before->sa_handler != SIG_IGN || handler == on_size || handler == on_continue)
    (void)sigaction(number, &ours, NULL);
}

static void install_endings(void) {
  for (int number = 1; number < _NSIG; number++) {
    enum fate fate = fate_of(number);
    struct sigaction *before = &before_ending[number];
    // The C library reserves two signals, for which this call fails.
    if (fate == NOT_CAUGHT || sigaction(number, NULL, before) != 0) continue;
    is_ours[number] = fate == CAUGHT_ALWAYS || before->sa_handler == SIG_DFL;
    if (is_ours[number]) install(number, on_end, before);
  }
}

static void restore_endings(void) {
  for (int number = 1; number < _NSIG; number++) {
    struct sigaction now;
    if (!is_ours[number] || sigaction(number, NULL, &now) != 0) continue;
    // The program may have its own handler by now.
    if (fate_of(number) == CAUGHT_BY_DEFAULT && now.sa_handler != on_end) continue;
    (void)sigaction(number, &before_ending[number], NULL);
  }
}

int surf_tty_begin(int fd, int waker) {
  static atomic_int will_exit;
  int open = 0;
  if (atomic_load(&is_exiting)) return -EIO;
  if (!atomic_compare_exchange_strong(&is_open, &open, 1)) return -EBUSY;
  owner_pid = getpid();
  atomic_store(&terminal, fd);
  atomic_store(&alarm_fd, waker);
  atomic_store(&is_resized, 0);
  atomic_store(&is_continued, 0);
  atomic_store(&is_ended, 0);
  if (!atomic_exchange(&will_exit, 1)) {
    (void)atexit(at_exit);
    (void)at_quick_exit(at_exit);
  }
  install_endings();
  install(SIGTSTP, on_stop, &before_stop);
  install(SIGWINCH, on_size, &before_size);
  install(SIGCONT, on_continue, &before_continue);
  return 0;
}

void surf_tty_end(void) {
  struct surf_tty_claim claim;
  int open = 1;
  surf_tty_flush_output();
  if (getpid() == owner_pid) give_all_back();
  // Not 0 yet: `surf_tty_begin` saves the present handlers, and ours must not be among them.
  if (!atomic_compare_exchange_strong(&is_open, &open, 2)) return;
  restore_endings();
  (void)sigaction(SIGTSTP, &before_stop, NULL);
  (void)sigaction(SIGWINCH, &before_size, NULL);
  (void)sigaction(SIGCONT, &before_continue, NULL);
  surf_tty_claim(&claim);
  atomic_store(&alarm_fd, -1);
  surf_tty_release(&claim);
  atomic_store(&is_open, 0);
}
