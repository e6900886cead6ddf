internal import Observation
public import SurfStore
internal import Synchronization

// For programs that change their state without actions.
extension Transceiver {
  /// Records that the program has changed its state. The row's name says which members differ from
  /// the state before: at most three, such as `changed items, total`, or a path of at most three
  /// levels, such as `changed cart.total`.
  ///
  /// It needs one line in a class with a lock, an actor, or whatever else owns the state:
  ///
  ///     actor Cart {
  ///       var state = State() { didSet { transceiver.record(changeFrom: oldValue, to: state) } }
  ///     }
  ///
  /// One owner of state per transceiver. The first change after `resume()` also records the state
  /// before it. In the task of a handler of `onReset` this does nothing, until the handler returns.
  ///
  /// Every assignment is a row, also one of an equal value. For `oldValue`, Swift copies an array
  /// that is changed in place. StateSurf's own thread parses each state to compare it.
  ///
  /// - Parameter parent: The record that led to this one, such as the request of a response.
  /// - Returns: `nil` if nothing was recorded: off, suspended, or too much is waiting.
  @discardableResult
  public func record<State: Encodable & Sendable>(
    changeFrom former: @autoclosure () -> State, to state: @autoclosure () -> State,
    parent: RecordID? = nil, file: StaticString = #fileID, line: UInt = #line
  ) -> RecordID? {
    guard let recorder = openRecorder, !ResetTask.isRunning(in: self) else { return nil }
    return recorder.record(
      changeFrom: former(), to: state(), parent: parent, at: .call(file: file, line: line))
  }

  /// Records the state of `@Observable` models of the main actor after each change, until the token
  /// is cancelled or dropped. What happens before the main actor is free again is one change; it
  /// has no parent, since several tasks may have had a part in it.
  ///
  ///     let token = transceiver.observe { Shown(items: cart.items, total: cart.total) }
  ///
  /// - Parameter state: Reads the properties, on the main actor, also while recording is suspended.
  ///   A change of a property that it does not read goes unnoticed.
  @MainActor
  public func observe<State: Encodable & Sendable>(
    file: StaticString = #fileID, line: UInt = #line, _ state: @escaping @MainActor () -> State
  ) -> Subscription {
    guard recorder != nil else { return Subscription {} }
    let observer = ModelObserver(self, state, file: file, line: line)
    return Subscription { observer.end() }
  }

  /// The same for a program that viewers may put into any state. Call it before `resume()`.
  ///
  /// - Parameter restore: Sets the properties to those of a state. For its initial state, a viewer
  ///   gets the one that `state` returns now.
  @MainActor
  public func observe<State: Codable & Sendable>(
    file: StaticString = #fileID, line: UInt = #line, _ state: @escaping @MainActor () -> State,
    restore: @escaping @MainActor (State) -> Void
  ) -> Subscription {
    guard recorder != nil else { return Subscription {} }
    let initial = state()
    let observer = ModelObserver(self, state, restore, file: file, line: line)
    onReset(on: MainActor.self) { [weak observer] reset in
      let state = try reset.state(as: State.self) ?? initial
      guard let observer, observer.restore(state) else { throw NoLongerObserved() }
    }
    return Subscription { observer.end() }
  }
}

/// Why a viewer cannot set the state.
private struct NoLongerObserved: Error, CustomStringConvertible {
  let description = "the program no longer observes its model"
}

/// The reset that the current task carries out, so that it is not recorded as the program's change.
final class ResetTask: Sendable {
  @TaskLocal private static var current: ResetTask?

  private let owner: ObjectIdentifier
  /// A task that the handler has started may outlive it.
  private let isOver = Atomic(false)

  private init(_ owner: ObjectIdentifier) { self.owner = owner }

  static func isRunning(in transceiver: Transceiver) -> Bool {
    guard let current, current.owner == ObjectIdentifier(transceiver) else { return false }
    return !current.isOver.load(ordering: .relaxed)
  }

  static func during<Result>(
    _ owner: ObjectIdentifier, _ handler: () throws -> Result
  ) rethrows -> Result {
    let task = ResetTask(owner)
    defer { task.isOver.store(true, ordering: .relaxed) }
    return try $current.withValue(task, operation: handler)
  }

  static func during<Result>(
    _ owner: ObjectIdentifier, _ handler: () async throws -> Result
  ) async rethrows -> Result {
    let task = ResetTask(owner)
    defer { task.isOver.store(true, ordering: .relaxed) }
    return try await $current.withValue(task, operation: handler)
  }
}

/// Sees each change of what a closure reads from `@Observable` models.
@MainActor
private final class ModelObserver<State: Encodable & Sendable> {
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
    transceiver.withParent(nil) {
      _ = transceiver.record(changeFrom: former, to: state, file: file, line: line)
    }
  }
}
