internal import Observation
internal import Synchronization

/// Sees each change of what a closure reads from `@Observable` models.
@MainActor
final class ModelObserver<State: Encodable & Sendable> {
  private weak var transceiver: Transceiver?
  /// Nil after the end, so that nothing keeps the model.
  private var read: (@MainActor () -> State)?
  private var set: (@MainActor (State) -> Void)?
  private let file: StaticString
  private let line: UInt
  /// The state recorded last.
  private var state: State?
  /// Whether the model has changed since, and the main actor has not been free.
  private nonisolated let isPending = Atomic(false)
  private nonisolated let hasEnded = Atomic(false)

  init(
    _ transceiver: Transceiver, _ read: @escaping @MainActor () -> State,
    _ set: (@MainActor (State) -> Void)? = nil, file: StaticString, line: UInt
  ) {
    (self.transceiver, self.read, self.set) = (transceiver, read, set)
    (self.file, self.line) = (file, line)
    state = track()
  }

  /// From any thread. No call of a closure begins after this.
  nonisolated func end() {
    hasEnded.store(true, ordering: .relaxed)
    Task { @MainActor in (read, set) = (nil, nil) }
  }

  /// False after the end.
  func restore(_ state: State) -> Bool {
    guard !hasEnded.load(ordering: .relaxed), let set else { return false }
    recordPending()
    set(state)
    // The viewer has made this change, and not the program.
    isPending.store(false, ordering: .relaxed)
    self.state = track()
    return true
  }

  /// The library calls back once, before the first change after this.
  private func track() -> State? {
    guard let read else { return nil }
    return withObservationTracking(read) { [weak self] in
      self?.isPending.store(true, ordering: .relaxed)
      Task { @MainActor [weak self] in self?.recordPending() }
    }
  }

  private func recordPending() {
    guard isPending.exchange(false, ordering: .relaxed), !hasEnded.load(ordering: .relaxed)
    else { return }
    let former = state
    state = track()
    guard let former, let state, let transceiver else { return }
    // Not by the transceiver's own call, which is silent in a restore.
    transceiver.withParent(nil) {
      _ = transceiver.openRecorder?.record(
        changeFrom: former, to: state, parent: nil, at: .call(file: file, line: line))
    }
  }
}
