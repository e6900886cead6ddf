import Glibc

/// Keeps signals what the app made them.
enum SignalDisposition {
  /// Runs a call that connects to the system bus. libdbus ignores SIGPIPE for the whole process
  /// whenever it connects, though it needs none (it sends with MSG_NOSIGNAL); the app's own choice
  /// is put back, since a program may rely on ending with its pipeline.
  static func keepingSIGPIPE<Result>(_ call: () -> Result) -> Result {
    var before = sigaction()
    var after = sigaction()
    let isKnown = sigaction(SIGPIPE, nil, &before) == 0
    let result = call()
    if isKnown, !isIgnore(before), sigaction(SIGPIPE, nil, &after) == 0, isIgnore(after) {
      sigaction(SIGPIPE, &before, nil)
    }
    return result
  }

  private static func isIgnore(_ action: sigaction) -> Bool {
    unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Runs `body` with every signal blocked that can be sent to a process; threads started in it
  /// inherit that, so that the app's handlers never run on them.
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
