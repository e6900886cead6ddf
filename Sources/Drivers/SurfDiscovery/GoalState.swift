import SurfBasics

/// A goal and how far it is met.
struct GoalState: Sendable {
  enum Phase: Equatable, Sendable {
    case waiting(until: Duration)
    /// Asked for, and not open yet.
    case opening(OperationID)
    case open(OperationID, since: Duration)
  }

  let goal: DiscoveryGoal
  var phase: Phase
  /// In a row.
  private(set) var failures = 0
  /// Names of an advertisement that were taken.
  private(set) var clashes = 0

  init(_ goal: DiscoveryGoal, dueAt now: Duration) {
    self.goal = goal
    phase = .waiting(until: now)
  }

  /// At worst a daemon's restart is seen within the longest wait.
  static let backoff = Backoff(first: .seconds(1), longest: .seconds(30))

  /// More instances of one app on one host than this wait for a name to come free.
  static let clashCountMax = 100

  var request: ServiceRequest {
    switch goal {
    case .browse(let interface, let type): .browse(interface: interface, type: type)
    case .advertise(let advertisement):
      .register(advertisement, name: advertisement.name(clashes: clashes))
    }
  }

  var operation: OperationID? {
    switch phase {
    case .waiting: nil
    case .opening(let id), .open(let id, _): id
    }
  }

  var isOpen: Bool {
    if case .open = phase { true } else { false }
  }

  var deadline: Duration? {
    if case .waiting(let until) = phase { until } else { nil }
  }

  func isDue(at now: Duration) -> Bool { deadline.map { $0 <= now } ?? false }

  /// Lets the goal wait for its next try. An operation that lived for less than the longest wait
  /// was not a recovery: otherwise a daemon that refuses late would be asked again every second.
  mutating func fail(at now: Duration) {
    if case .open(_, let since) = phase, now - since >= Self.backoff.longest { failures = 0 }
    failures += 1
    clashes = 0
    phase = .waiting(until: now + Self.backoff.delay(failures: failures))
  }

  /// Makes an advertisement due at once under its next name. Returns false when none is left.
  ///
  /// Avahi renames what clashes with another host, but refuses what clashes on its own.
  mutating func rename(at now: Duration) -> Bool {
    guard case .advertise = goal, clashes < Self.clashCountMax else { return false }
    clashes += 1
    phase = .waiting(until: now)
    return true
  }
}
