internal import SurfStore
internal import Synchronization

/// Records the steps of a store, each with the record of the step that caused it as its parent.
final class StepRecorder: Sendable {
  private let mailbox: Mailbox
  private let recent = Mutex(RecentSteps())

  init(mailbox: Mailbox) { self.mailbox = mailbox }

  /// On the app's thread: copies, and returns.
  func record(_ step: Step<some Sendable, some Encodable & Sendable>) {
    guard mailbox.isOpen else { return }
    let parent = step.cause.flatMap { cause in recent.withLock { $0.record(of: cause) } }
    var entry = Entry(kind: .action, subject: step.action, source: step.source, parent: parent)
    entry.payload = .valueIfEncodable(step.action)
    entry.state = .value(step.state)
    guard let id = mailbox.add(entry) else { return }
    recent.withLock { $0.remember(id, of: step.id) }
  }
}

/// The records of the latest steps; the children of an older one go without a parent.
struct RecentSteps: Sendable {
  /// An effect that answers after a thousand further steps is rare, and so is the loss small.
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
