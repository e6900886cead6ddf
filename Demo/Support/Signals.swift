import Dispatch
import Foundation

/// Ends the program in good order on SIGINT and SIGTERM, as long as it is kept.
package final class Signals {
  private let sources: [any DispatchSourceSignal]

  /// `goodbye` is called once, on a thread of its own, and then the program ends with 0.
  package init(goodbye: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "signals")
    sources = [SIGINT, SIGTERM].map { number in
      // Without this the signal would end us before the source sees it.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        goodbye()
        exit(0)
      }
      source.resume()
      return source
    }
  }
}
