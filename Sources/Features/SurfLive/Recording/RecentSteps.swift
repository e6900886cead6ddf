/// The records of a store's latest steps. A step whose cause is older gets no parent.
struct RecentSteps: Sendable {
  /// What a step inherits from its cause.
  struct Trace: Sendable {
    let record: RecordID
    /// The request of the restore that led to the step.
    let restore: UInt64?
  }

  /// Few effects answer after a thousand more steps.
  private static let countMax = 1_024

  private var steps: [(step: UInt64, trace: Trace)?] = Array(repeating: nil, count: countMax)

  mutating func remember(_ trace: Trace, of step: UInt64) {
    steps[Self.place(of: step)] = (step, trace)
  }

  func trace(of step: UInt64) -> Trace? {
    guard let candidate = steps[Self.place(of: step)], candidate.step == step else { return nil }
    return candidate.trace
  }

  private static func place(of step: UInt64) -> Int { Int(step % UInt64(countMax)) }
}
