internal import Dispatch
public import Glibc
public import SurfStore

/// Events from outside the program, such as signals and timers. A middleware listens to them while
/// its actions ask for that, and dispatches what they mean.
public struct EventSource<Event: Sendable>: Sendable {
  private let listen: @Sendable (@escaping @Sendable (Event) -> Void) -> Subscription

  /// A source that hands each closure to `listen`, which calls it with every event until the token
  /// is cancelled or dropped.
  public init(listen: @escaping @Sendable (@escaping @Sendable (Event) -> Void) -> Subscription) {
    self.listen = listen
  }

  /// Calls `receive` with each event, on a thread of the source's, until the token is cancelled or
  /// dropped. A call under way then may still be finishing.
  public func sink(_ receive: @escaping @Sendable (Event) -> Void) -> AnyCancellable {
    listen(receive)
  }

  /// Each event transformed; nil drops it.
  public func compactMap<Other: Sendable>(
    _ transform: @escaping @Sendable (Event) -> Other?
  ) -> EventSource<Other> {
    EventSource<Other> { receive in
      sink { event in
        if let other = transform(event) { receive(other) }
      }
    }
  }
}

extension EventSource where Event == Void {
  /// An event for each time the process gets the signal, such as SIGUSR1. From the first `sink` on
  /// the signal has no other effect, even when nobody listens any more.
  ///
  /// All signals share one thread: a closure that takes long holds up the next event.
  public static func signal(_ number: Int32) -> EventSource {
    EventSource { receive in SignalHub.shared.listen(to: number) { receive(()) } }
  }

  /// An event every `interval`, of a millisecond at least and a year at most; the first after one
  /// interval.
  public static func timer(every interval: Duration) -> EventSource {
    let (seconds, attoseconds) = min(max(interval, .milliseconds(1)), .seconds(31_536_000))
      .components
    let step = DispatchTimeInterval.nanoseconds(
      Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    return EventSource { receive in
      let source = DispatchSource.makeTimerSource(queue: .global())
      source.setEventHandler { receive(()) }
      source.schedule(deadline: .now() + step, repeating: step)
      let running = RunningSource(source)
      return Subscription { running.cancel() }
    }
  }
}

extension EventSource where Event == KeyChord {
  /// The keys that a person types at a terminal, which `descriptor` stays open to.
  ///
  /// A terminal hands over whole lines, and shows them, until the program turns that off (`ICANON`
  /// and `ECHO` of tcsetattr(3)). While somebody listens, nothing else may read the descriptor. At
  /// its end there are no more events.
  public static func keys(from descriptor: Int32 = STDIN_FILENO) -> EventSource {
    EventSource { receive in KeyHub.shared.listen(to: descriptor, receive) }
  }
}

extension EventSource where Event == Void {
  /// An event for each time that a person types `chord`; as for `keys(from:)`.
  public static func keyChord(
    _ chord: KeyChord, from descriptor: Int32 = STDIN_FILENO
  ) -> EventSource {
    EventSource<KeyChord>.keys(from: descriptor).compactMap { $0 == chord ? () : nil }
  }
}

// Unchecked: both functions of a dispatch source may be called on any thread.
final class RunningSource: @unchecked Sendable {
  private let source: any DispatchSourceProtocol

  init(_ source: any DispatchSourceProtocol) {
    self.source = source
    source.resume()
  }

  func cancel() { source.cancel() }
}
