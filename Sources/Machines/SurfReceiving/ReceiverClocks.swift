import SurfTransport
import SurfWire

/// Whether the app of a `Receiver` is alive, judged by how long it has been silent (Protocol.md
/// §10.8).
enum Liveness: Equatable, Sendable {
  case present(lastHeard: Duration)
  /// Silent or departed. Missing packets may still arrive until `expiresAt`.
  case gone(expiresAt: Duration)
  /// Gone for so long that nothing more will arrive.
  case expired

  enum Change { case gone, expired }

  var deadline: Duration? {
    switch self {
    case .present(let lastHeard): lastHeard + Timers.liveness
    case .gone(let expiresAt): expiresAt
    case .expired: nil
    }
  }

  mutating func heard(at now: Duration) { self = .present(lastHeard: now) }

  mutating func advance(to now: Duration) -> Change? {
    guard let deadline, deadline <= now else { return nil }
    switch self {
    case .present:
      self = .gone(expiresAt: now + Timers.expiry)
      return .gone
    case .gone, .expired:
      self = .expired
      return .expired
    }
  }
}

/// When a `Receiver` says hello: repeatedly until a welcome, then at intervals that keep the cookie
/// fresh (Protocol.md §11.1).
struct HelloClock: Sendable {
  private(set) var due: Duration
  private(set) var cookie: Cookie?
  /// The time from a hello to its answer; nil if unknown.
  private(set) var roundTrip: Duration?
  private var interval = Timers.helloRepeatMin
  /// When the hello was sent that the next welcome answers; nil if there are several.
  private var askedAt: Duration?
  private var unansweredCount = 0
  /// When the first hello since the last welcome was sent.
  private(set) var unansweredSince: Duration?

  init(at now: Duration) { due = now }

  /// Says hello immediately, with a new question. The cookie stays valid.
  mutating func hasten(at now: Duration) { due = now }

  mutating func helloWasSent(at now: Duration) {
    unansweredCount += 1
    unansweredSince = unansweredSince ?? now
    // With two hellos in flight, the welcome may answer either.
    askedAt = unansweredCount == 1 ? now : nil
    due = now + interval
    interval = min(interval * 2, Timers.helloRepeatMax)
  }

  /// - Parameter isAnswer: whether it answers the present question, and not an earlier one.
  mutating func welcome(_ cookie: Cookie, isAnswer: Bool, at now: Duration) {
    self.cookie = cookie
    guard isAnswer else { return }
    if let askedAt { roundTrip = now - askedAt }
    (unansweredCount, unansweredSince) = (0, nil)
    askedAt = nil
    interval = Timers.helloRepeatMin
    due = now + Timers.helloRenewal
  }
}

/// Pauses the requests of a `Receiver` while more packets are due than may be outstanding. The
/// pause ends when half of the outstanding packets have arrived, or the first is due again
/// (Protocol.md §10.4, rule 13).
struct RequestPause: Sendable {
  private var end: Duration?
  private var awaitedCount: WireCount = 0
  private var arrivedCount: WireCount = 0

  /// - Parameter underWay: packets that were requested and may still arrive.
  /// - Parameter repetition: when the first of them is due again; nil if none is expected.
  mutating func begin(underWay: WireCount, until repetition: Duration?) {
    (end, awaitedCount, arrivedCount) = (repetition, underWay, 0)
  }

  mutating func cancel() { end = nil }

  mutating func note(arrivals: Int) {
    arrivedCount.add(WireCount(arrivals))
    if arrivedCount.doubled() >= awaitedCount { end = nil }
  }

  /// The earliest time to request something that is due at `due`.
  func allowed(_ due: Duration) -> Duration { max(due, end ?? due) }
}

/// When a `Receiver` reports to the app how far it has read, and how large its window is
/// (Protocol.md §12).
struct WindowUpdateClock: Sendable {
  /// Packets that the app may be ahead.
  private(set) var window: WireCount
  private let windowMax: WireCount
  /// The newest packet in the last update; nil before the first.
  private var reported: SequenceNumber?

  /// With a smaller window, an update for every packet would outweigh the data.
  private static let windowMin: WireCount = 8

  init(windowMax: WireCount) {
    self.windowMax = max(windowMax, Self.windowMin)
    window = self.windowMax
  }

  /// Whether an update is due. There are four to a window, so losing one does not close it.
  func isDue(newest: SequenceNumber) -> Bool {
    guard let reported else { return true }
    return newest >= reported.advanced(by: window.divided(by: 4))
  }

  mutating func updateWasSent(newest: SequenceNumber) {
    reported = newest
    window = min(windowMax, window.adding(max(1, window.divided(by: 16))))
  }

  /// This viewer's socket overflowed: the window is too wide for its speed.
  mutating func socketOverflowed() { window = max(Self.windowMin, window.divided(by: 2)) }
}
