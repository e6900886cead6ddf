import Dispatch
import Glibc
import Synchronization

/// Turns the signals that end a command into events, so that it ends at a place of its choice.
final class Signals {
  private let sources: [any DispatchSourceSignal]

  /// A closed pipe is an error of `write`, and not the end of the process.
  static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }

  init(queue: EventQueue) {
    let first = First()
    sources = [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        // The second one is meant: output that blocks must not keep a person waiting.
        if first.wasSeen.exchange(true, ordering: .relaxed) { _exit(128 + number) }
        queue.push(.signal(number))
      }
      source.resume()
      return source
    }
  }

  deinit {
    for source in sources { source.cancel() }
  }

  private final class First: Sendable {
    let wasSeen = Atomic<Bool>(false)
  }
}
