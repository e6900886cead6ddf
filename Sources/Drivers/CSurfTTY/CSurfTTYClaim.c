#define _GNU_SOURCE
#include "claim.h"

#include <poll.h>
#include <stdatomic.h>
#include <unistd.h>

// The id of the thread that has the claim. A signal handler may ask for its thread's id, but may
// not take a lock of the system's.
static atomic_int claimant;
static atomic_uint progress;

/// Tries of a millisecond each, without progress: longer than a job may take to end.
enum { TRIES_MAX = 5000 };

static int is_claimed(struct surf_tty_claim *claim, int thread) {
  int nobody = 0;
  claim->is_owner = atomic_compare_exchange_strong(&claimant, &nobody, thread);
  return claim->is_owner || nobody == thread;
}

static void block_signals(struct surf_tty_claim *claim) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
  sigset_t all;
  sigfillset(&all);
  for (size_t index = 0; index < sizeof faults / sizeof *faults; index++)
    sigdelset(&all, faults[index]);
  (void)pthread_sigmask(SIG_BLOCK, &all, &claim->before);
}

void surf_tty_claim(struct surf_tty_claim *claim) {
  int thread = gettid();
  block_signals(claim);
  unsigned seen = atomic_load(&progress);
  for (int tries = 0; !is_claimed(claim, thread) && tries < TRIES_MAX; tries++) {
    (void)poll(NULL, 0, 1);
    if (seen == atomic_load(&progress)) continue;
    seen = atomic_load(&progress);
    tries = 0;
  }
}

void surf_tty_note_progress(void) { (void)atomic_fetch_add(&progress, 1); }

int surf_tty_try_claim(struct surf_tty_claim *claim) {
  block_signals(claim);
  if (is_claimed(claim, gettid())) return 1;
  surf_tty_release(claim);
  return 0;
}

void surf_tty_release(struct surf_tty_claim *claim) {
  if (claim->is_owner) atomic_store(&claimant, 0);
  (void)pthread_sigmask(SIG_SETMASK, &claim->before, NULL);
}
