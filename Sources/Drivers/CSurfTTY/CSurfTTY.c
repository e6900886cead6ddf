#define _GNU_SOURCE
#include "CSurfTTY.h"
#include "output.h"

#include <errno.h>
#include <poll.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What a handler reads while another thread may be changing it: the one that is not in use is
// written, and then the number of the other.
struct hold {
  struct termios mode;
  char bytes[SURF_TTY_BYTES_MAX];
  size_t count;
};
static struct hold holds[2];
static atomic_int current;

static atomic_int is_open, is_held, is_resized, is_continued, is_ended;
static pid_t owner_pid;
static atomic_int terminal = -1, alarm_fd = -1;

static const int ending[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGSEGV, SIGBUS,
                             SIGILL,  SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
enum { ENDING_COUNT = sizeof ending / sizeof *ending };
static struct sigaction before_ending[ENDING_COUNT], before_stop, before_size, before_continue;

// Not by the system's own number: a terminal that takes nothing must not hold up the end.
int surf_tty_write_all(int fd, const char *bytes, size_t count) {
  for (int tries = 0; count > 0 && tries < 5;) {
    ssize_t written = write(fd, bytes, count);
    if (written > 0) {
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

void surf_tty_give_back(void) {
  if (!atomic_load(&is_held)) return;
  int saved = errno, fd = atomic_load(&terminal);
  // In the background it is the shell's, and as the shell wants it.
  pid_t owner = tcgetpgrp(fd);
  if (owner <= 0 || owner == getpgrp()) {
    struct hold *hold = &holds[atomic_load(&current)];
    (void)surf_tty_write_all(fd, hold->bytes, hold->count);
    // Not after the output has gone: it may never go.
    (void)tcsetattr(fd, TCSANOW, &hold->mode);
  }
  // Only now: a signal in the middle of this must do it again, before the process ends.
  atomic_store(&is_held, 0);
  errno = saved;
}

int surf_tty_is_held(void) { return atomic_load(&is_held); }

int surf_tty_hold(const struct termios *mode, const char *bytes, size_t count) {
  if (count > SURF_TTY_BYTES_MAX) return -EINVAL;
  int next = !atomic_load(&current);
  holds[next].mode = *mode;
  memcpy(holds[next].bytes, bytes, count);
  holds[next].count = count;
  atomic_store(&current, next);
  atomic_store(&is_held, 1);
  return 0;
}

int surf_tty_set_owner(int fd, pid_t group) {
  sigset_t output, before;
  sigemptyset(&output);
  sigaddset(&output, SIGTTOU);
  // Else this would stop us, if we are in the background.
  (void)pthread_sigmask(SIG_BLOCK, &output, &before);
  int result = tcsetpgrp(fd, group) == 0 ? 0 : -errno;
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  return result;
}

int surf_tty_change_owner(int fd, pid_t former, pid_t group) {
  pid_t owner = tcgetpgrp(fd);
  if (owner > 0 && owner != former && owner != getpgrp()) return 0;
  return surf_tty_set_owner(fd, group);
}

int surf_tty_start(int fd, char *const words[]) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  pid_t child = 0;
  sigemptyset(&none);
  sigfillset(&all);
  if (posix_spawn_file_actions_init(&actions) != 0) return -ENOMEM;
  if (posix_spawnattr_init(&attributes) != 0) {
    (void)posix_spawn_file_actions_destroy(&actions);
    return -ENOMEM;
  }
  for (int number = 0; number <= 2; number++)
    (void)posix_spawn_file_actions_addopen(&actions, number, "/dev/tty", O_RDWR, 0);
  (void)posix_spawnattr_setpgroup(&attributes, 0);
  (void)posix_spawnattr_setsigmask(&attributes, &none);
  (void)posix_spawnattr_setsigdefault(&attributes, &all);
  (void)posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  int result = posix_spawnp(&child, words[0], &actions, &attributes, words, environ);
  (void)posix_spawn_file_actions_destroy(&actions);
  (void)posix_spawnattr_destroy(&attributes);
  if (result != 0) return -result;
  (void)surf_tty_set_owner(fd, child);
  // It may have asked for the terminal before, and stopped.
  (void)kill(-child, SIGCONT);
  return child;
}

static void wake(void) {
  int saved = errno;
  uint64_t one = 1;
  (void)!write(atomic_load(&alarm_fd), &one, sizeof one);
  errno = saved;
}

// Behind the picture, and before whatever comes to the terminal now.
static void give_all_back(void) {
  // A forked child has none of it.
  if (getpid() != owner_pid) return;
  surf_tty_give_back();
  surf_tty_release_output(atomic_load(&terminal));
}

static void on_end(int number) {
  give_all_back();
  // A program that goes on has its terminal back, and no screen any more.
  atomic_store(&is_ended, 1);
  wake();
  // Then as without us: whoever had the signal gets it once this handler returns.
  for (int index = 0; index < ENDING_COUNT; index++)
    if (ending[index] == number) (void)sigaction(number, &before_ending[index], NULL);
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
  // Stops here, and goes on when somebody lets us.
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

int surf_tty_is_ended(void) { return atomic_load(&is_ended); }
int surf_tty_take_resized(void) { return atomic_exchange(&is_resized, 0); }
int surf_tty_take_continued(void) { return atomic_exchange(&is_continued, 0); }

// What somebody had ignored stays ignored, as `nohup` wants it.
static void install(int number, void (*handler)(int), struct sigaction *before) {
  struct sigaction ours = {.sa_handler = handler, .sa_flags = SA_RESTART | SA_ONSTACK};
  (void)sigaction(number, NULL, before);
  if (before->sa_handler != SIG_IGN || handler == on_size || handler == on_continue)
    (void)sigaction(number, &ours, NULL);
}

int surf_tty_begin(int fd, int waker) {
  static atomic_int will_exit;
  int open = 0;
  if (!atomic_compare_exchange_strong(&is_open, &open, 1)) return -EBUSY;
  owner_pid = getpid();
  atomic_store(&terminal, fd);
  atomic_store(&alarm_fd, waker);
  atomic_store(&is_resized, 0);
  atomic_store(&is_continued, 0);
  atomic_store(&is_ended, 0);
  if (!atomic_exchange(&will_exit, 1)) (void)atexit(give_all_back);
  for (int index = 0; index < ENDING_COUNT; index++)
    install(ending[index], on_end, &before_ending[index]);
  install(SIGTSTP, on_stop, &before_stop);
  install(SIGWINCH, on_size, &before_size);
  install(SIGCONT, on_continue, &before_continue);
  return 0;
}

void surf_tty_end(void) {
  int open = 1;
  surf_tty_flush_output();
  give_all_back();
  if (!atomic_compare_exchange_strong(&is_open, &open, 0)) return;
  for (int index = 0; index < ENDING_COUNT; index++)
    (void)sigaction(ending[index], &before_ending[index], NULL);
  (void)sigaction(SIGTSTP, &before_stop, NULL);
  (void)sigaction(SIGWINCH, &before_size, NULL);
  (void)sigaction(SIGCONT, &before_continue, NULL);
}
