internal import SurfValues
public import Synchronization

/// What a store's lock protects: the waiting turns, the listeners and the running effects. Threads
/// without the baton reach the store's contents through it, too.
///
/// It calls no closure, and returns every value that it replaces. Releasing a user's value can run
/// the user's `deinit`, which must not happen under the lock.
@usableFromInline
struct StoreCore<Action: Sendable, State: Sendable>: Sendable {
  /// One entry of the queue: everything that must happen in order is a turn.
  @usableFromInline
  enum Turn: Sendable {
    /// Apply an action.
    case action(Action, ActionSource, cause: ActionCause?)
    /// Show the state to the closure, and replace it if the closure returns another.
    case revise(@Sendable (State) -> State?, id: UInt64?, completion: @Sendable () -> Void)
    /// Start to deliver steps.
    case observe(Listener<Step<Action, State>>)
    /// Start to deliver rejections.
    case observeRejections(Listener<Rejection<Action>>)
    /// Deliver the current state, and start to deliver the states after it.
    case subscribe(Listener<Transition<State>>)
    /// Connect a hook to the store, and show it the actions from now on.
    case install(any ActionHook<Action, State>)
  }

  /// A turn that waits for the thread that drains the store. That thread may run another task.
  struct WaitingTurn: Sendable {
    var turn: Turn
    /// The cause of the task that enqueued it.
    let task: RecordID?
  }

  /// What to deliver, without the lock, after a change of state.
  @usableFromInline
  struct Change: Sendable {
    @usableFromInline let previous: State
    @usableFromInline let observers: [Listener<Step<Action, State>>]
    @usableFromInline let subscribers: [Listener<Transition<State>>]

    @inlinable
    init(
      previous: State, observers: [Listener<Step<Action, State>>],
      subscribers: [Listener<Transition<State>>]
    ) {
      self.previous = previous
      self.observers = observers
      self.subscribers = subscribers
    }
  }

  @usableFromInline let contents: StoreContents<Action, State>
  /// Effects whose tasks have not ended.
  private(set) var effects: [ObjectIdentifier: RunningEffect] = [:]
  @usableFromInline private(set) var observers: [Listener<Step<Action, State>>] = [] {
    didSet { noteQuiet() }
  }
  @usableFromInline private(set) var subscribers: [Listener<Transition<State>>] = [] {
    didSet { noteQuiet() }
  }
  private(set) var rejectionObservers: [Listener<Rejection<Action>>] = []
  private var waiting: [WaitingTurn] = [] {
    didSet { noteQuiet() }
  }
  /// Whether no step needs to be delivered and no turn waits. Stored, because each action reads it.
  @usableFromInline private(set) var isQuiet = true

  init(_ contents: StoreContents<Action, State>) {
    self.contents = contents
  }

  @inlinable var state: State { contents.values.pointee.state }

  private mutating func noteQuiet() {
    isQuiet = waiting.isEmpty && observers.isEmpty && subscribers.isEmpty
  }

  /// True if the store was idle: the caller must take this turn now and then drain the store.
  /// Otherwise the turn is queued.
  mutating func begin(_ turn: Turn, _ baton: borrowing TurnToken) -> Bool {
    guard !baton.take() else { return true }
    waiting.append(WaitingTurn(turn: turn, task: TaskCause.record))
    return false
  }

  /// Takes all waiting turns, oldest first. If there are none, the store becomes idle.
  mutating func takeTurns(_ baton: borrowing TurnToken) -> [WaitingTurn]? {
    guard !waiting.isEmpty else {
      baton.layDown()
      return nil
    }
    defer { waiting = [] }
    return waiting
  }

  @inlinable
  mutating func countStep() -> UInt64 {
    contents.values.pointee.stepCount += 1
    return contents.values.pointee.stepCount
  }

  /// Sets the state, for a step or a restore.
  @inlinable
  mutating func replace(_ newState: State) -> Change {
    defer { contents.values.pointee.state = newState }
    return Change(previous: state, observers: observers, subscribers: subscribers)
  }

  /// Sets the hook, and returns the previous one.
  mutating func install(
    _ newHook: (any ActionHook<Action, State>)?
  ) -> (any ActionHook<Action, State>)? {
    defer { contents.values.pointee.hook = newHook }
    return contents.values.pointee.hook
  }

  /// Adds an observer, unless it was cancelled while it waited for its turn.
  mutating func add(_ observer: Listener<Step<Action, State>>) {
    if observer.isActive { observers.append(observer) }
  }

  /// Adds an observer of rejections, unless it was cancelled while it waited for its turn.
  mutating func add(_ observer: Listener<Rejection<Action>>) {
    if observer.isActive { rejectionObservers.append(observer) }
  }

  /// Clears the cause of waiting actions that a rejected action caused: its step never happens.
  mutating func disown(_ step: UInt64) {
    for index in waiting.indices {
      if case .action(let action, let source, .step(step)) = waiting[index].turn {
        waiting[index].turn = .action(action, source, cause: nil)
      }
    }
  }

  /// Adds a subscriber, unless it was cancelled while it waited for its turn.
  mutating func add(_ subscriber: Listener<Transition<State>>) {
    if subscriber.isActive { subscribers.append(subscriber) }
  }

  mutating func add(_ effect: RunningEffect) {
    effects[ObjectIdentifier(effect)] = effect
  }

  mutating func remove(_ effect: RunningEffect) -> RunningEffect? {
    effects.removeValue(forKey: ObjectIdentifier(effect))
  }

  mutating func remove(_ listener: AnyObject) {
    observers.removeAll { $0 === listener }
    subscribers.removeAll { $0 === listener }
    rejectionObservers.removeAll { $0 === listener }
  }
}

/// A state, and the previous one that the subscriber saw; `nil` if this is its first.
@usableFromInline
package struct Transition<State: Sendable>: Sendable {
  @usableFromInline package let previous: State?
  @usableFromInline package let state: State

  @inlinable
  init(previous: State?, state: State) {
    self.previous = previous
    self.state = state
  }
}

/// The step or restore that led to an action which did not come from outside.
@usableFromInline
package enum ActionCause: Equatable, Sendable {
  /// An effect or a middleware dispatched it in the step with this id.
  case step(UInt64)
  /// A subscriber dispatched it when it received the state of the restore with this id.
  case restore(UInt64)

  @usableFromInline var step: UInt64? {
    if case .step(let id) = self { id } else { nil }
  }
}

/// The baton of a store. The thread that holds it drains the queue; without one the store is idle.
///
/// `dispatch` takes the baton without the lock, and `StoreCore.begin` under it. A thread lays it
/// down under the lock, when no turn is waiting, so that no turn is left behind.
@usableFromInline
struct TurnToken: ~Copyable, Sendable {
  @usableFromInline let isTaken = Atomic(false)

  /// False if another thread, or the caller itself, holds it.
  @inlinable
  func take() -> Bool {
    isTaken.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
  }

  @inlinable
  func layDown() { isTaken.store(false, ordering: .releasing) }
}

/// Sees each action of a store before the reducer. The store knows nothing else of middlewares.
///
/// The store calls it in turns: from many threads, but never two at a time.
@usableFromInline
package protocol ActionHook<Action, State>: AnyObject, Sendable {
  /// The store's actions.
  associatedtype Action: Sendable
  /// The store's state.
  associatedtype State: Sendable

  /// Receives access to the store, once, before any action.
  func begin(
    state: @escaping @Sendable () -> State,
    dispatch: @escaping @Sendable (Action, ActionSource) -> Void)

  /// Called with each action. The store calls the returned closure in the same turn, once the
  /// reducer has run.
  func handle(_ action: Action, from source: ActionSource) -> (() -> Void)?
}

/// What turns change: the state, the count of steps and the hook.
///
/// Only the thread that holds the baton changes it, and does so under the lock. That thread reads
/// it without the lock; all others read it under the lock.
///
/// It is separate from `StoreCore`, which any thread changes, because code that reads one property
/// of a struct may copy the whole struct.
@usableFromInline
// Unchecked: the baton and the lock protect what `values` points to, as described above.
final class StoreContents<Action: Sendable, State: Sendable>: @unchecked Sendable {
  @usableFromInline
  struct Values {
    @usableFromInline var state: State
    @usableFromInline var stepCount: UInt64 = 0
    @usableFromInline var hook: (any ActionHook<Action, State>)? {
      didSet { isPlain = isUnguarded && hook == nil }
    }
    /// Whether an action passes only the reducer: no gate, no validator, no hook.
    @usableFromInline private(set) var isPlain: Bool
    private let isUnguarded: Bool

    init(state: State, isUnguarded: Bool) {
      self.state = state
      self.isUnguarded = isUnguarded
      isPlain = isUnguarded
    }
  }

  // Not stored properties: Swift would check exclusive access on each use.
  @usableFromInline let values = UnsafeMutablePointer<Values>.allocate(capacity: 1)

  init(state: State, isUnguarded: Bool) {
    values.initialize(to: Values(state: state, isUnguarded: isUnguarded))
  }

  deinit {
    values.deinitialize(count: 1)
    values.deallocate()
  }
}
