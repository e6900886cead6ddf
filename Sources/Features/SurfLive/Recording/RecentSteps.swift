/// The records of the latest steps; the children of an older one go without a parent.
struct RecentSteps: Sendable {
  /// Few effects answer after a thousand further steps, so the loss is small.
  private static let countMax = 1_024

  private var steps: [(step: UInt64, record: RecordID)?] = Array(repeating: nil, count: countMax)

  mutating func remember(_ record: RecordID, of step: UInt64) {
    steps[Self.place(of: step)] = (step, record)
  }

  func record(of step: UInt64) -> RecordID? {
    guard let candidate = steps[Self.place(of: step)], candidate.step == step else { return nil }
    return candidate.record
  }

  private static func place(of step: UInt64) -> Int { Int(step % UInt64(countMax)) }
}
