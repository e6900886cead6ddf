#define _GNU_SOURCE
#include "CSurfTTY.h"
#include "claim.h"
#include "job.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// The process group of the program that has the terminal, led by our child; 0 without a job.
static atomic_int job;
// How the newest job ended, as a status of wait(2).
static atomic_int last_status;

enum { POLITE_MAX = 1500, KILL_MAX = 500 };

int surf_tty_set_owner(int fd, pid_t group) {
  sigset_t output, before;
  sigemptyset(&output);
  sigaddset(&output, SIGTTOU);
  // Otherwise this would stop us if we are in the background.
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

// Whether a child can take the terminal itself, before its program begins. Where it cannot, a key
// that interrupts or suspends may still meet us in its first moments.
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 35)
enum { CHILD_TAKES_TERMINAL = 1 };
#else
enum { CHILD_TAKES_TERMINAL = 0 };
static int posix_spawn_file_actions_addtcsetpgrp_np(posix_spawn_file_actions_t *actions, int fd) {
  (void)actions, (void)fd;
  return ENOSYS;
}
#endif

static int spawn(pid_t *child, char *const words[]) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  if (posix_spawn_file_actions_init(&actions) != 0) return ENOMEM;
  if (posix_spawnattr_init(&attributes) != 0) {
    (void)posix_spawn_file_actions_destroy(&actions);
    return ENOMEM;
  }
  for (int number = 0; number <= 2; number++)
    (void)posix_spawn_file_actions_addopen(&actions, number, "/dev/tty", O_RDWR, 0);
  if (CHILD_TAKES_TERMINAL) (void)posix_spawn_file_actions_addtcsetpgrp_np(&actions, 0);
  (void)posix_spawnattr_setpgroup(&attributes, 0);
  (void)posix_spawnattr_setsigmask(&attributes, &none);
  (void)posix_spawnattr_setsigdefault(&attributes, &all);
  (void)posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  int result = posix_spawnp(child, words[0], &actions, &attributes, words, environ);
  (void)posix_spawn_file_actions_destroy(&actions);
  (void)posix_spawnattr_destroy(&attributes);
  return result;
}

int surf_tty_start(int fd, char *const words[]) {
  struct surf_tty_claim claim;
  pid_t child = 0;
  // Code that ends the process must know of the job from its first moment on.
  surf_tty_claim(&claim);
  int result = surf_tty_is_ended() ? ECANCELED : spawn(&child, words);
  if (result == 0) atomic_store(&job, child);
  if (result == 0 && !CHILD_TAKES_TERMINAL) {
    (void)surf_tty_set_owner(fd, child);
    // The child may have used the terminal before that, and been stopped.
    (void)kill(-child, SIGCONT);
  }
  surf_tty_release(&claim);
  return result == 0 ? child : -result;
}

static int is_gone(pid_t group) {
  pid_t ended;
  for (int status; (ended = waitpid(-group, &status, WNOHANG)) > 0;)
    if (ended == group) atomic_store(&last_status, status);
  return kill(-group, 0) != 0;
}

static int is_gone_within(pid_t group, int milliseconds) {
  for (int passed = 0; !is_gone(group); passed += 10) {
    if (passed >= milliseconds) return 0;
    (void)poll(NULL, 0, 10);
  }
  return 1;
}

// As a shell does when it exits. On this signal editors keep a copy of unsaved text, and exit.
static void tell_to_end(pid_t group) {
  (void)kill(-group, SIGHUP);
  (void)kill(-group, SIGCONT);
  if (is_gone_within(group, POLITE_MAX)) return;
  (void)kill(-group, SIGKILL);
  (void)is_gone_within(group, KILL_MAX);
}

// A group exists until somebody has waited for its last process. The first process of a container
// may never wait, so we do.
static void end_group(pid_t group) {
  int before = 0;
  (void)prctl(PR_GET_CHILD_SUBREAPER, &before);
  (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
  tell_to_end(group);
  (void)prctl(PR_SET_CHILD_SUBREAPER, before);
}

int surf_tty_end_job_claimed(int fd, int *is_orderly) {
  pid_t group = atomic_load(&job);
  if (group == 0) return 0;
  atomic_store(&last_status, SIGKILL);
  end_group(group);
  (void)surf_tty_change_owner(fd, group, getpgrp());
  atomic_store(&job, 0);
  int status = atomic_load(&last_status);
  // With a status of 128 or more, a shell reports that a signal ended its command.
  *is_orderly = WIFEXITED(status) && WEXITSTATUS(status) < 128;
  return 1;
}

void surf_tty_end_job(int fd) {
  struct surf_tty_claim claim;
  int is_orderly;
  surf_tty_claim(&claim);
  (void)surf_tty_end_job_claimed(fd, &is_orderly);
  surf_tty_release(&claim);
}

static enum surf_tty_job look(int *status) {
  pid_t leader = atomic_load(&job);
  *status = atomic_load(&last_status);
  if (leader == 0) return SURF_TTY_ENDED;
  pid_t result = waitpid(leader, status, WNOHANG | WUNTRACED);
  if (result == 0 || (result < 0 && errno == EINTR)) return SURF_TTY_RUNNING;
  // Somebody else waits for all children of this process.
  if (result < 0) *status = 0;
  if (result > 0 && WIFSTOPPED(*status)) return SURF_TTY_STOPPED;
  // Nobody waits for the processes that it leaves behind, and they must not draw on.
  if (WIFSIGNALED(*status)) end_group(leader);
  atomic_store(&job, 0);
  return SURF_TTY_ENDED;
}

enum surf_tty_job surf_tty_look_at_job(int *status) {
  struct surf_tty_claim claim;
  surf_tty_claim(&claim);
  enum surf_tty_job result = look(status);
  surf_tty_release(&claim);
  return result;
}
