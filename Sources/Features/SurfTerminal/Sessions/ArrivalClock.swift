import SurfWire

/// When a command stops waiting for what an app has: once nothing has come for a while, or the app
/// has answered nothing for as long.
///
/// A state of many megabytes is one row, and takes a slow network longer than a person's timeout.
/// What counts is that its packets come.
struct ArrivalClock: Sendable {
  private let timeout: Duration
  private let isFixed: Bool
  /// When something was last seen to have come.
  private var heardAt: Duration
  private var arrivals = 0
  /// When to look again.
  private(set) var due: Duration

  /// Looks in one timeout.
  private static let lookCount = 8

  /// - Parameter isFixed: whether it ends at its time, whatever comes.
  init(_ timeout: Duration, from now: Duration, isFixed: Bool = false) {
    (self.timeout, self.isFixed) = (timeout, isFixed)
    (heardAt, due) = (now, now + timeout / Self.lookCount)
  }

  enum Look {
    /// It waits on, and may say how much has come.
    case waits([CommandAction])
    case over
  }

  /// Looks at what has come since the last call.
  mutating func look(for session: SessionID, _ counters: ViewerCounters, at now: Duration) -> Look {
    guard now >= due else { return .waits([]) }
    let network = counters.network
    if !isFixed, network.arrivals != arrivals { (heardAt, arrivals) = (now, network.arrivals) }
    due = min(now + timeout / Self.lookCount, heardAt + timeout)
    // Records that come by themselves may not be what is waited for.
    let isIgnored = !isFixed && network.standstills[session].map { $0 >= timeout } == true
    if isIgnored || now - heardAt >= timeout { return .over }
    return .waits(progressLine(received: network).map { [.progress($0)] } ?? [])
  }
}
