import Glibc

enum SignalMask {
  /// Runs `body` with every signal blocked that can be sent to a process; threads started in it
  /// inherit that, so that the app's handlers never run on them, and a write to a dead bus ends
  /// in an error there rather than in SIGPIPE.
  static func blocked<Result>(_ body: () -> Result) -> Result {
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    // A fault is the thread's own and cannot be put off.
    for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&all, fault) }
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return body()
  }
}
