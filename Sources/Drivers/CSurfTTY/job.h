// Between the files of this module.
#ifndef C_SURF_TTY_JOB_H
#define C_SURF_TTY_JOB_H

/// Ends the job that has the terminal, if there is one, and takes the terminal back. Needs a claim.
///
/// Whether there was a job; `is_orderly` says that it exited by itself.
int surf_tty_end_job_claimed(int fd, int *is_orderly);

#endif
