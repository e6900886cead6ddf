internal import SurfThreads

/// What an effect can be cancelled by.
struct EffectID: Equatable, Sendable {
  private let value: any Hashable & Sendable

  init(_ value: some Hashable & Sendable) { self.value = value }

  static func == (left: EffectID, right: EffectID) -> Bool {
    AnyHashable(left.value) == AnyHashable(right.value)
  }
}

/// The task of an effect, from before it begins until it has ended or was cancelled.
@usableFromInline
final class RunningEffect: Sendable {
  private enum Phase: Sendable {
    case beginning
    case running(Task<Void, Never>)
    case over
  }

  let id: EffectID?
  private let phase = Monitor(Phase.beginning)

  init(id: EffectID?) { self.id = id }

  /// Whether what it sends still counts.
  var isActive: Bool {
    phase.withLock { if case .over = $0 { false } else { true } }
  }

  /// Gives it its task, which is cancelled at once if the effect was cancelled already.
  func begin(_ task: Task<Void, Never>) {
    let isOver = phase.withLock { phase in
      if case .over = phase { return true }
      phase = .running(task)
      return false
    }
    if isOver { task.cancel() }
  }

  /// Cancels its task, if it has not ended. To cancel a task can run user code, so that is done
  /// without the lock.
  func cancel() {
    let last = phase.withLock { phase in
      defer { phase = .over }
      return phase
    }
    if case .running(let task) = last { task.cancel() }
  }
}
