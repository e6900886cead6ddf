internal import SurfControl
internal import SurfThreads

/// Detects that an actor runs nothing: one of our tasks waits there for a turn. `CommandTask` asks
/// it, so as to refuse a viewer's request instead of waiting for a blocked actor.
///
/// There is at most one such task, however long the actor is blocked.
final class ActorPulse: Sendable {
  private enum Phase {
    case beating
    /// The task has no thread yet, which is not the actor's fault.
    case asked
    case unanswered(since: Duration)
  }

  /// How long an actor may run nothing. Two requests are answered before a viewer gives up.
  static let patience = Duration.seconds(2)

  static let main = ActorPulse("the main actor") { pulse in
    await MainActor.run { pulse.beat() }
  }

  private let title: String
  private let visit: @Sendable (ActorPulse) async -> Void
  private let phase = Monitor(Phase.beating)

  convenience init(of owner: any Actor) {
    self.init("the actor \(type(of: owner))") { pulse in await pulse.beat(on: owner) }
  }

  private init(_ title: String, visit: @escaping @Sendable (ActorPulse) async -> Void) {
    self.title = title
    self.visit = visit
  }

  /// The refusal for the person whose request was not carried out.
  var obstacle: RefusedCommand {
    RefusedCommand(
      "\(title) has not run anything for 2 s: does the program block it, as readLine() does?")
  }

  /// Sends the task, unless one is under way.
  func ask() {
    let isNew = phase.withLock { phase in
      guard case .beating = phase else { return false }
      phase = .asked
      return true
    }
    guard isNew else { return }
    Task.detached { [self] in
      phase.withLock { $0 = .unanswered(since: monotonicNow()) }
      await visit(self)
    }
  }

  /// When the actor will have been silent for too long, by `monotonicNow()`; nil if it answers.
  var patienceEnd: Duration? {
    phase.withLock { phase in
      if case .unanswered(let since) = phase { since + Self.patience } else { nil }
    }
  }

  private func beat() { phase.withLock { $0 = .beating } }

  private func beat(on owner: isolated any Actor) { beat() }
}
