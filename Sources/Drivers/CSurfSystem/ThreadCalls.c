#ifdef __linux__
#define _GNU_SOURCE
#include "ThreadCalls.h"

#include <errno.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

int surf_waker_create(void) {
  int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  return fd < 0 ? -errno : fd;
}

// Neither can fail in a way that matters: each fails only if the counter is full or empty already,
// as wanted.
void surf_waker_set(int fd) { (void)eventfd_write(fd, 1); }

void surf_waker_clear(int fd) {
  eventfd_t value;
  (void)eventfd_read(fd, &value);
}

int surf_timer_create(void) {
  int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  return fd < 0 ? -errno : fd;
}

void surf_timer_set(int fd, struct timespec time) {
  // All zero would mean never.
  if (time.tv_sec == 0 && time.tv_nsec == 0) time.tv_nsec = 1;
  struct itimerspec setting = {.it_value = time};
  (void)timerfd_settime(fd, TFD_TIMER_ABSTIME, &setting, NULL);
}

int surf_poll(struct pollfd *fds, unsigned count, const struct timespec *timeout) {
  int ready = ppoll(fds, count, timeout, NULL);
  return ready < 0 ? -errno : ready;
}

int surf_name_thread(const char *name) { return -pthread_setname_np(pthread_self(), name); }
#endif
