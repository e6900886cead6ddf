#define _GNU_SOURCE
#include "CSurfTTY.h"
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// A file in memory and not a pipe: a write to it never waits for a reader, and a signal's handler
// can show what it holds.
static atomic_int kept = -1;
static atomic_int former[2] = {-1, -1};
static atomic_size_t kept_max;
static atomic_int is_showing;

static off_t size_of(int fd) {
  struct stat facts;
  return fstat(fd, &facts) == 0 ? facts.st_size : 0;
}

static int is_same(int one, int other) {
  struct stat first, second;
  return fstat(one, &first) == 0 && fstat(other, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

int surf_tty_keep_output(size_t size_max) {
  if (atomic_load(&kept) >= 0) return -EBUSY;
  // What is in the buffer was printed before. Not of all streams: a thread that reads holds one.
  (void)fflush(stdout);
  // The first print decides how a stream is buffered, and must not find memory.
  if (isatty(1) && __fbufsize(stdout) == 0) (void)setvbuf(stdout, NULL, _IOLBF, 0);
  int fd = memfd_create("output", MFD_CLOEXEC);
  if (fd < 0) return -errno;
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

void surf_tty_trim_output(void) {
  int fd = atomic_load(&kept);
  if (fd < 0) return;
  off_t extra = size_of(fd) - (off_t)atomic_load(&kept_max);
  if (extra > 0) (void)fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, extra);
}

void surf_tty_flush_output(void) {
  if (atomic_load(&kept) >= 0) (void)fflush(stdout);
}

// Number formatting that a handler may do.
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

static void show(int fd, int terminal) {
  off_t end = size_of(fd), start = end - (off_t)atomic_load(&kept_max);
  if (start < 0) start = 0;
  if (start > 0) tell_cut(terminal, start);
  // What another thread was about to write comes a moment later.
  for (; start < (end = size_of(fd));) {
    char bytes[4096];
    ssize_t count = pread(fd, bytes, sizeof bytes, start);
    if (count <= 0 || surf_tty_write_all(terminal, bytes, (size_t)count) != 0) return;
    start += count;
  }
}

void surf_tty_release_output(int terminal) {
  int fd = atomic_exchange(&kept, -1);
  // A signal while another thread shows it: the process must not end before.
  for (int tries = 0; fd < 0 && atomic_load(&is_showing) && tries < 50; tries++)
    (void)poll(NULL, 0, 10);
  if (fd < 0) return;
  atomic_store(&is_showing, 1);
  int saved = errno;
  for (int index = 0; index < 2; index++) {
    int copy = atomic_exchange(&former[index], -1);
    if (copy < 0) continue;
    // Unless the program has put something else there meanwhile.
    if (is_same(fd, index + 1)) (void)dup2(copy, index + 1);
    (void)close(copy);
  }
  show(fd, terminal);
  atomic_store(&is_showing, 0);
  (void)close(fd);
  errno = saved;
}
