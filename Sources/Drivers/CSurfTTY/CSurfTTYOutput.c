#define _GNU_SOURCE
#include "CSurfTTY.h"
#include "claim.h"
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// A file in memory, not a pipe: a write to it never waits for a reader, and a signal handler can
// show its contents.
static atomic_int kept = -1;
// The same file, opened again, so that the lock on `kept` lasts only as long as some process or
// thread can write through it.
static atomic_int reader = -1;
static atomic_int former[2] = {-1, -1};
static atomic_size_t kept_max;

static off_t size_of(int fd) {
  struct stat facts;
  return fstat(fd, &facts) == 0 ? facts.st_size : 0;
}

static int is_same(int one, int other) {
  struct stat first, second;
  return fstat(one, &first) == 0 && fstat(other, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

static int reopened(int fd) {
  char path[32];
  (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  int again = open(path, O_RDONLY | O_CLOEXEC);
  // Without that folder we cannot wait for other writers.
  return again >= 0 ? again : fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

static int keep(size_t size_max) {
  if (atomic_load(&kept) >= 0) return -EBUSY;
  int fd = memfd_create("output", MFD_CLOEXEC);
  if (fd < 0) return -errno;
  int again = reopened(fd);
  if (again < 0) {
    int error = errno;
    (void)close(fd);
    return -error;
  }
  (void)flock(fd, LOCK_EX);
  // Otherwise two threads could write to the same place: such a file does not lock its position.
  (void)fcntl(fd, F_SETFL, O_APPEND);
  atomic_store(&reader, again);
  atomic_store(&kept_max, size_max);
  atomic_store(&kept, fd);
  for (int index = 0; index < 2; index++) {
    int number = index + 1;
    if (!isatty(number)) continue;
    int copy = fcntl(number, F_DUPFD_CLOEXEC, 3);
    if (copy < 0) continue;
    atomic_store(&former[index], copy);
    (void)dup2(fd, number);
  }
  return 0;
}

int surf_tty_keep_output(size_t size_max) {
  struct surf_tty_claim claim;
  // The text in the buffer was printed before. Do not flush all streams: a thread that reads locks
  // one.
  (void)fflush(stdout);
  // The first print decides how a stream is buffered, and must not find a file in memory. Do both
  // before the claim: another thread may hold the stream, and wait for the claim in a handler.
  if (isatty(1) && __fbufsize(stdout) == 0) (void)setvbuf(stdout, NULL, _IOLBF, 0);
  surf_tty_claim(&claim);
  int result = surf_tty_is_ended() ? -EIO : keep(size_max);
  surf_tty_release(&claim);
  return result;
}

void surf_tty_trim_output(void) {
  struct surf_tty_claim claim;
  // A thread that releases the output closes the file, whose number may be reused immediately.
  if (!surf_tty_try_claim(&claim)) return;
  int fd = atomic_load(&kept);
  off_t extra = fd < 0 ? 0 : size_of(fd) - (off_t)atomic_load(&kept_max);
  if (extra > 0) (void)fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, extra);
  surf_tty_release(&claim);
}

void surf_tty_flush_output(void) {
  if (atomic_load(&kept) >= 0) (void)fflush(stdout);
}

// Formats the number itself: a handler may not call snprintf(3).
static void tell_cut(int terminal, off_t count) {
  char text[96], digits[24];
  size_t length = 0, digit = sizeof digits;
  do digits[--digit] = (char)('0' + count % 10);
  while ((count /= 10) > 0);
  memcpy(text, "[", 1);
  length = 1;
  memcpy(text + length, digits + digit, sizeof digits - digit);
  length += sizeof digits - digit;
  static const char rest[] = " octets of earlier output were cut]\n";
  memcpy(text + length, rest, sizeof rest - 1);
  surf_tty_write_all(terminal, text, length + sizeof rest - 1);
}

// Shows the file from `start` to its present end. -1 if the terminal takes no more.
static off_t show(int fd, off_t start, int terminal) {
  for (off_t end; start < (end = size_of(fd));) {
    char bytes[4096];
    ssize_t count = pread(fd, bytes, sizeof bytes, start);
    if (count <= 0 || surf_tty_write_all(terminal, bytes, (size_t)count) != 0) return -1;
    start += count;
  }
  return start;
}

// Another thread may be in the middle of a write, and a child may hold the file forever.
static void show_all(int fd, int terminal) {
  off_t start = size_of(fd) - (off_t)atomic_load(&kept_max);
  if (start < 0) start = 0;
  if (start > 0) tell_cut(terminal, start);
  for (int tries = 0; tries < 50; tries++) {
    int is_all = flock(fd, LOCK_SH | LOCK_NB) == 0;
    start = show(fd, start, terminal);
    if (is_all || start < 0) return;
    (void)poll(NULL, 0, 1);
  }
}

void surf_tty_release_output(int terminal) {
  int fd = atomic_exchange(&kept, -1);
  if (fd < 0) return;
  for (int index = 0; index < 2; index++) {
    int copy = atomic_exchange(&former[index], -1);
    if (copy < 0) continue;
    // Unless the program has put something else there meanwhile.
    if (is_same(fd, index + 1)) (void)dup2(copy, index + 1);
    (void)close(copy);
  }
  (void)close(fd);
  int again = atomic_exchange(&reader, -1);
  show_all(again, terminal);
  (void)close(again);
}
