import Foundation

/// Ends the program in good order on SIGINT and SIGTERM.
package final class Signals: Sendable {
  /// `goodbye` is called once, on a thread of its own, and then the program ends with 0.
  package init(goodbye: @escaping @Sendable () -> Void) {
    var wanted = sigset_t()
    sigemptyset(&wanted)
    for number in [SIGINT, SIGTERM] { sigaddset(&wanted, number) }
    // From now on, and in all later threads: a signal that arrives waits to be taken.
    pthread_sigmask(SIG_BLOCK, &wanted, nil)
    Thread.detachNewThread { [wanted] in
      var (wanted, number) = (wanted, Int32(0))
      while sigwait(&wanted, &number) != 0 {}
      goodbye()
      exit(0)
    }
  }
}
