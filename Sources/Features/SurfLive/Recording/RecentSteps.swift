/// The records of the latest steps; the children of an older one go without a parent.
struct RecentSteps: Sendable {
  /// What a later step needs to know of one that led to it.
  struct Trace: Sendable {
    let record: RecordID
    /// The request for the restore that led to it.
    let restore: UInt64?
  }

  /// Few effects answer after a thousand further steps, so the loss is small.
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
