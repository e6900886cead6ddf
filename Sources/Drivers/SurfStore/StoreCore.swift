public import Synchronization

/// What a store guards with its lock: the waiting turns, the listeners and the effects; and its
/// contents, from threads that do not have the baton.
///
/// It calls no closure, and hands back every value it replaces: the last release of a user's
/// value can run the user's `deinit`, which must not happen under the lock.
@usableFromInline
struct StoreCore<Action: Sendable, State: Sendable>: Sendable {
  /// One entry of the queue: everything that must happen in order is a turn.
  @usableFromInline
  enum Turn: Sendable {
    /// Apply an action.
    case action(Action, ActionSource, cause: ActionCause?)
    /// Look at the state, and replace it if another comes back.
    case revise(@Sendable (State) -> State?, id: UInt64?, completion: @Sendable () -> Void)
    /// Begin to deliver steps.
    case observe(Listener<Step<Action, State>>)
    /// Begin to deliver rejections.
    case observeRejections(Listener<Rejection<Action>>)
    /// Deliver the current state, and begin to deliver those after it.
    case subscribe(Listener<Transition<State>>)
    /// Give a hook its ways to the store, and show it the actions after this.
    case install(any ActionHook<Action, State>)
  }

  /// What a change of state leaves to be done without the lock.
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
  /// The tasks of effects that have not ended.
  private(set) var effects: [ObjectIdentifier: RunningEffect] = [:]
  @usableFromInline private(set) var observers: [Listener<Step<Action, State>>] = [] {
    didSet { noteQuiet() }
  }
  @usableFromInline private(set) var subscribers: [Listener<Transition<State>>] = [] {
    didSet { noteQuiet() }
  }
  private(set) var rejectionObservers: [Listener<Rejection<Action>>] = []
  private var waiting: [Turn] = [] {
    didSet { noteQuiet() }
  }
  /// Whether nobody is to hear of a step, and nothing waits. Kept, as each action asks for it.
  @usableFromInline private(set) var isQuiet = true

  init(_ contents: StoreContents<Action, State>) {
    self.contents = contents
  }

  @inlinable var state: State { contents.values.pointee.state }

  private mutating func noteQuiet() {
    isQuiet = waiting.isEmpty && observers.isEmpty && subscribers.isEmpty
  }

  /// True if the store was idle: the caller must take this turn now, and then drain the store.
  /// Otherwise the turn waits.
  mutating func begin(_ turn: Turn, _ baton: borrowing TurnToken) -> Bool {
    guard !baton.take() else { return true }
    waiting.append(turn)
    return false
  }

  /// All turns that wait, oldest first; `nil` if there are none, and then the store is idle.
  mutating func takeTurns(_ baton: borrowing TurnToken) -> [Turn]? {
    guard !waiting.isEmpty else {
      baton.layDown()
      return nil
    }
    defer { waiting = [] }
    return waiting
  }

  /// The number of a step whose state was set.
  @inlinable
  mutating func countStep() -> UInt64 {
    contents.values.pointee.stepCount += 1
    return contents.values.pointee.stepCount
  }

  /// Sets the state, of a step or of a restore.
  @inlinable
  mutating func replace(_ newState: State) -> Change {
    defer { contents.values.pointee.state = newState }
    return Change(previous: state, observers: observers, subscribers: subscribers)
  }

  /// Sets the hook, and hands back the one before.
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

  /// The step that was to have this number never happens, so it is the cause of nothing.
  mutating func disown(_ step: UInt64) {
    for index in waiting.indices {
      if case .action(let action, let source, .step(step)) = waiting[index] {
        waiting[index] = .action(action, source, cause: nil)
      }
    }
  }

  /// Adds a subscriber, unless it was cancelled while it waited for its turn.
  mutating func add(_ subscriber: Listener<Transition<State>>) {
    if subscriber.isActive { subscribers.append(subscriber) }
  }

  /// Keeps an effect, to cancel it.
  mutating func add(_ effect: RunningEffect) {
    effects[ObjectIdentifier(effect)] = effect
  }

  /// Forgets an effect, and hands it back.
  mutating func remove(_ effect: RunningEffect) -> RunningEffect? {
    effects.removeValue(forKey: ObjectIdentifier(effect))
  }

  /// Forgets a listener of either kind; the caller still holds it.
  mutating func remove(_ listener: AnyObject) {
    observers.removeAll { $0 === listener }
    subscribers.removeAll { $0 === listener }
    rejectionObservers.removeAll { $0 === listener }
  }
}

/// A state, and the one that a subscriber was told of before it; `nil` if this is its first.
@usableFromInline
struct Transition<State: Sendable>: Sendable {
  @usableFromInline let previous: State?
  @usableFromInline let state: State

  @inlinable
  init(previous: State?, state: State) {
    self.previous = previous
    self.state = state
  }
}

/// What led to an action that did not come from outside.
@usableFromInline
package enum ActionCause: Equatable, Sendable {
  /// An effect or a middleware of the step with this id dispatched it.
  case step(UInt64)
  /// A subscriber dispatched it when it was told of the state of the restore with this id.
  case restore(UInt64)

  /// The step, if it was one.
  @usableFromInline var step: UInt64? {
    if case .step(let id) = self { id } else { nil }
  }
}

/// The thread that has it works through the turns of a store; the store is idle while nobody does.
///
/// It is taken without the lock, and laid down under it by the thread that has found no turn
/// waiting: so no turn is left behind.
@usableFromInline
struct TurnToken: ~Copyable, Sendable {
  @usableFromInline let isTaken = Atomic(false)

  /// False if another has it, or the caller itself.
  @inlinable
  func take() -> Bool {
    isTaken.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
  }

  @inlinable
  func layDown() { isTaken.store(false, ordering: .releasing) }
}

/// What sees each action of a store before the reducer does: all that a store knows of middlewares.
///
/// The store calls it in turns: on many threads, one at a time.
@usableFromInline
package protocol ActionHook<Action, State>: AnyObject, Sendable {
  /// What the store takes.
  associatedtype Action: Sendable
  /// What the store holds.
  associatedtype State: Sendable

  /// Gives it the ways to the store, once, before any action.
  func begin(
    state: @escaping @Sendable () -> State,
    dispatch: @escaping @Sendable (Action, ActionSource) -> Void)

  /// Shows it an action. The store calls the closure that it returns in the same turn, once the
  /// reducer has run.
  func handle(_ action: Action, from source: ActionSource) -> (() -> Void)?
}

/// What turns change: the state, the count of steps and the hook.
///
/// Only the thread that has the baton changes it, and under the lock. That thread reads it without
/// the lock, all others under it.
///
/// It is apart from `StoreCore`, which any thread changes: code that reads one property of a struct
/// may copy the whole struct.
@usableFromInline
// Unchecked: the baton and the lock guard what `values` points to, as said above.
final class StoreContents<Action: Sendable, State: Sendable>: @unchecked Sendable {
  @usableFromInline
  struct Values {
    @usableFromInline var state: State
    @usableFromInline var stepCount: UInt64 = 0
    @usableFromInline var hook: (any ActionHook<Action, State>)? {
      didSet { isPlain = isUnguarded && hook == nil }
    }
    /// Whether an action meets nothing but the reducer: no gate, no validator, no hook.
    @usableFromInline private(set) var isPlain: Bool
    private let isUnguarded: Bool

    init(state: State, isUnguarded: Bool) {
      self.state = state
      self.isUnguarded = isUnguarded
      isPlain = isUnguarded
    }
  }

  // Not properties: Swift would check each access to those once more.
  @usableFromInline let values = UnsafeMutablePointer<Values>.allocate(capacity: 1)

  init(state: State, isUnguarded: Bool) {
    values.initialize(to: Values(state: state, isUnguarded: isUnguarded))
  }

  deinit {
    values.deinitialize(count: 1)
    values.deallocate()
  }
}
