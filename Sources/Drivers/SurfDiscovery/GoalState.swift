import SurfBasics

/// A goal of `DiscoveryMachine`, and how far it is met.
struct GoalState: Sendable {
  enum Phase: Equatable, Sendable {
    case waiting(until: Duration)
    /// Requested, and not open yet.
    case opening(OperationID)
    case open(OperationID, since: Duration)
  }

  let goal: DiscoveryGoal
  var phase: Phase
  /// Consecutive failures.
  private(set) var failures = 0
  /// Names of an advertisement that were in use.
  private(set) var clashes = 0

  init(_ goal: DiscoveryGoal, dueAt now: Duration) {
    self.goal = goal
    phase = .waiting(until: now)
  }

  /// Between the attempts of a goal, and those to resolve a service. A goal notices a daemon's
  /// restart within the longest wait.
  static let backoff = Backoff(first: .seconds(1), longest: .seconds(30))

  /// With more instances of one app on one host, the rest wait for a free name.
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

  /// Makes the goal wait for its next try. An operation that lasted less than the longest wait does
  /// not reset the backoff. Otherwise a daemon that refuses late would be asked every second.
  mutating func fail(at now: Duration) {
    if case .open(_, let since) = phase, now - since >= Self.backoff.longest { failures = 0 }
    failures += 1
    clashes = 0
    phase = .waiting(until: now + Self.backoff.delay(failures: failures))
  }

  /// Makes an advertisement due immediately under its next name. Returns false when no name is
  /// left.
  ///
  /// Avahi renames services that clash with another host's, but refuses those that clash on its
  /// own.
  mutating func rename(at now: Duration) -> Bool {
    guard case .advertise = goal, clashes < Self.clashCountMax else { return false }
    clashes += 1
    phase = .waiting(until: now)
    return true
  }
}
