import SurfWire

/// Decides when a command stops waiting for data of an app: after a timeout without new packets, or
/// without an answer from the app.
///
/// A state of many megabytes is one row, and may take longer than the timeout on a slow network. So
/// the clock restarts whenever packets arrive.
struct ArrivalClock: Sendable {
  private let timeout: Duration
  private let isFixed: Bool
  /// When the clock last noticed new packets.
  private var heardAt: Duration
  private var arrivals = 0
  /// When to call `look` again.
  private(set) var due: Duration

  /// How often to look within one timeout.
  private static let lookCount = 8

  /// - Parameter isFixed: whether arriving packets do not restart the clock.
  init(_ timeout: Duration, from now: Duration, isFixed: Bool = false) {
    (self.timeout, self.isFixed) = (timeout, isFixed)
    (heardAt, due) = (now, now + timeout / Self.lookCount)
  }

  /// Checks what has arrived since the last call.
  ///
  /// - Returns: actions that show progress; nil to stop waiting.
  mutating func look(
    for session: SessionID, _ counters: ViewerCounters, at now: Duration
  ) -> [CommandAction]? {
    guard now >= due else { return [] }
    let network = counters.network
    if !isFixed, network.arrivals != arrivals { (heardAt, arrivals) = (now, network.arrivals) }
    due = min(now + timeout / Self.lookCount, heardAt + timeout)
    // Records that the app sends to everybody may not be what the command waits for.
    let isIgnored = !isFixed && network.unansweredTimes[session].map { $0 >= timeout } == true
    if isIgnored || now - heardAt >= timeout { return nil }
    return progressLine(received: network).map { [.progress($0)] } ?? []
  }
}
