internal import Dispatch
public import Glibc
public import SurfStore

/// A source of events from outside the program, such as signals, timers and keys. Middlewares
/// listen to it and dispatch actions.
public struct EventSource<Event: Sendable>: Sendable {
  private let listen: @Sendable (@escaping @Sendable (Event) -> Void) -> Subscription

  /// Makes a source of `listen`, which must call the given closure with every event until its token
  /// is cancelled or dropped.
  public init(listen: @escaping @Sendable (@escaping @Sendable (Event) -> Void) -> Subscription) {
    self.listen = listen
  }

  /// Calls `receive` with each event, on a thread of the source, until the token is cancelled or
  /// dropped. A call that is under way then may still finish.
  public func sink(_ receive: @escaping @Sendable (Event) -> Void) -> AnyCancellable {
    listen(receive)
  }

  /// Transforms each event, and drops it if the result is nil.
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
  /// Sends an event each time the process receives the signal, such as SIGUSR1. From the first
  /// `sink` on, the signal has no other effect, even after all listeners are gone.
  ///
  /// All signals share one thread, so a slow closure delays the next event.
  public static func signal(_ number: Int32) -> EventSource {
    EventSource { receive in SignalHub.shared.listen(to: number) { receive(()) } }
  }

  /// Sends an event after each `interval`, which is clamped to between a millisecond and a year.
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
  /// Sends the keys that a person types at a terminal. `descriptor` must stay open.
  ///
  /// A terminal delivers whole lines, and echoes them, until the program turns that off (`ICANON`
  /// and `ECHO` of tcsetattr(3)). While there are listeners, nothing else may read the descriptor.
  /// It sends no events after its end.
  public static func keys(from descriptor: Int32 = STDIN_FILENO) -> EventSource {
    EventSource { receive in KeyHub.shared.listen(to: descriptor, receive) }
  }
}

extension EventSource where Event == Void {
  /// Sends an event each time a person types `chord`, under the conditions of `keys(from:)`.
  public static func keyChord(
    _ chord: KeyChord, from descriptor: Int32 = STDIN_FILENO
  ) -> EventSource {
    EventSource<KeyChord>.keys(from: descriptor).compactMap { $0 == chord ? () : nil }
  }
}

// Unchecked: any thread may call `resume` and `cancel` of a dispatch source.
final class RunningSource: @unchecked Sendable {
  private let source: any DispatchSourceProtocol

  init(_ source: any DispatchSourceProtocol) {
    self.source = source
    source.resume()
  }

  func cancel() { source.cancel() }
}
