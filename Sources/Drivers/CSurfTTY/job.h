// Between the files of this module.
#ifndef C_SURF_TTY_JOB_H
#define C_SURF_TTY_JOB_H

/// Ends the job that has the terminal, if there is one, and takes the terminal back. Needs a claim.
///
/// Returns whether there was a job; `is_orderly` says whether it exited on its own.
int surf_tty_end_job_claimed(int fd, int *is_orderly);

#endif
