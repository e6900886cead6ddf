// Between the files of this module.
#ifndef C_SURF_TTY_CLAIM_H
#define C_SURF_TTY_CLAIM_H

#include <signal.h>

/// The right of one thread to change the terminal, its job and its output. Signals wait meanwhile,
/// except faults, whose handlers share the claim.
struct surf_tty_claim {
  sigset_t before;
  int is_owner;
};

/// Waits for other threads, but not forever for one that makes no progress: a process that ends
/// must not hang. May be called in a handler.
void surf_tty_claim(struct surf_tty_claim *claim);

/// 0 if another thread has the claim: then there is nothing to release.
int surf_tty_try_claim(struct surf_tty_claim *claim);

/// Call after each write to a terminal, which may be slow, so that other threads keep waiting.
void surf_tty_note_progress(void);

void surf_tty_release(struct surf_tty_claim *claim);

#endif
