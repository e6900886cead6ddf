// Between the files of this module.
#ifndef C_SURF_TTY_CLAIM_H
#define C_SURF_TTY_CLAIM_H

#include <signal.h>

/// The right of one thread to change the terminal, its job and its output. Signals wait meanwhile,
/// but for faults, whose handlers share it.
struct surf_tty_claim {
  sigset_t before;
  int is_owner;
};

/// Waits for other threads, but not for ever where one makes no progress: a process that ends must
/// not hang. May be called in a handler.
void surf_tty_claim(struct surf_tty_claim *claim);

/// 0 if another thread has it: then there is nothing to release.
int surf_tty_try_claim(struct surf_tty_claim *claim);

/// Who has it writes to a terminal that may be slow, and has written some.
void surf_tty_note_progress(void);

void surf_tty_release(struct surf_tty_claim *claim);

#endif
