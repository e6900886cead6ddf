public import SurfThreads
internal import SurfValues
internal import Synchronization

/// How long one caller drains the queue for others, and how much a slow reader may miss.
enum StoreLimits {
  /// Takes some tenths of a second. A chain of actions that ends at all is shorter.
  static let turnCountOfCallMax = 1 << 18
  /// A task yields after this many turns, some milliseconds.
  static let turnCountOfTaskMax = 1 << 12
  /// How many unread steps the stream `steps` buffers: as many as a debugger does.
  static let unreadStepCountMax = 65_536
}

// The path of an action is inlinable: specialized for its types, it takes a tenth of the time.
extension Store {
  /// Applies `action` if the store is idle; otherwise enqueues it.
  ///
  /// In an idle store without listeners, creates no source, and only takes the lock for the state.
  @inlinable @inline(__always)
  func dispatch(_ action: Action, cause: ActionCause?, from source: () -> ActionSource) {
    guard baton.take() else { return enqueue(action, from: source(), cause: cause) }
    guard values.pointee.isPlain else {
      return applyAndDrain(action, from: source(), cause: cause)
    }
    var state = values.pointee.state
    let effects = reducer.body(action, &state)
    if effects.isEmpty, commitQuietly(&state) { return }
    finishAndDrain(action, from: source(), cause: cause, state, effects)
  }

  /// Ends a turn and lays down the baton; `state` becomes the previous state, for the caller to
  /// release. Returns false, and does nothing, if there are listeners or waiting turns.
  @inlinable @inline(__always)
  func commitQuietly(_ state: inout State) -> Bool {
    core.withLock { core in
      guard core.isQuiet else { return false }
      values.pointee.stepCount += 1
      swap(&values.pointee.state, &state)
      baton.layDown()
      return true
    }
  }

  @inlinable @inline(never)
  func applyAndDrain(_ action: Action, from source: ActionSource, cause: ActionCause?) {
    apply(action, from: source, cause: cause)
    drain()
  }

  @inlinable @inline(never)
  func finishAndDrain(
    _ action: Action, from source: ActionSource, cause: ActionCause?, _ state: State,
    _ effects: [Effect<Action>]
  ) {
    finish(action, from: source, cause: cause, state, effects, nil)
    drain()
  }

  /// Takes the turn of an action.
  @inlinable
  func apply(_ action: Action, from source: ActionSource, cause: ActionCause?) {
    if let admits, !admits(action, source) { return }
    let step = values.pointee.stepCount + 1
    let afterReducer = values.pointee.hook
      .flatMap { show(action, from: source, at: step, to: $0) }
    var state = values.pointee.state
    let effects = reducer.body(action, &state)
    if !validators.isEmpty, let objection = validators.objection(to: state) {
      return reject(
        Rejection(action: action, source: source, cause: cause?.step, objection: objection),
        at: step, afterReducer)
    }
    finish(action, from: source, cause: cause, state, effects, afterReducer)
  }

  /// The rest of an action's turn, once the validators have accepted `state`.
  @inlinable
  func finish(
    _ action: Action, from source: ActionSource, cause: ActionCause?, _ state: State,
    _ effects: [Effect<Action>], _ afterReducer: (() -> Void)?
  ) {
    let (change, step) = core.withLock { ($0.replace(state), $0.countStep()) }
    tell(change, Step(id: step, action: action, state: state, source: source, origin: cause))
    if let afterReducer { run(afterReducer, of: step) }
    for effect in effects { run(effect, of: .step(step)) }
  }

  @inlinable
  func tell(_ change: StoreCore<Action, State>.Change, _ step: Step<Action, State>) {
    for observer in change.observers { observer(step) }
    tellSubscribers(change, step.state)
  }

  @inlinable
  func tellSubscribers(_ change: StoreCore<Action, State>.Change, _ state: State) {
    guard !change.subscribers.isEmpty else { return }
    let transition = Transition(previous: change.previous, state: state)
    for subscriber in change.subscribers { subscriber(transition) }
  }
}

extension Store {
  /// Reports a rejected action. The step with this number does not happen.
  @usableFromInline
  func reject(_ rejection: Rejection<Action>, at step: UInt64, _ afterReducer: (() -> Void)?) {
    let observers = core.withLock { core in
      core.disown(step)
      return core.rejectionObservers
    }
    for observer in observers { observer(rejection) }
    afterReducer?()
  }

  @usableFromInline
  func enqueue(_ action: Action, from source: ActionSource, cause: ActionCause?) {
    enqueue(.action(action, source, cause: cause ?? handledRestore))
  }

  func enqueue(_ turn: StoreCore<Action, State>.Turn) {
    guard core.withLock({ $0.begin(turn, baton) }) else { return }
    perform(turn)
    drain()
  }

  /// Drains the queue up to the limit for one caller, then lets a task go on.
  @usableFromInline
  func drain() {
    if !drain(turnCountMax: StoreLimits.turnCountOfCallMax) { drainElsewhere() }
  }

  /// Only one thread at a time gets here. Returns false at the limit: the store is not idle then,
  /// and somebody must go on draining.
  private func drain(turnCountMax: Int) -> Bool {
    var turnCount = 0
    while let turns = core.withLock({ $0.takeTurns(baton) }) {
      for waiting in turns { TaskCause.during(waiting.task) { perform(waiting.turn) } }
      turnCount += turns.count
      if turnCount >= turnCountMax { return false }
    }
    return true
  }

  private func drainElsewhere() {
    // Unstructured because `dispatch` is synchronous, and detached because it belongs to no caller.
    // Weak, so that a store that nobody holds stops.
    Task.detached { [weak self] in
      while self?.drain(turnCountMax: StoreLimits.turnCountOfTaskMax) == false {
        await Task.yield()
      }
    }
  }

  private func perform(_ turn: StoreCore<Action, State>.Turn) {
    switch turn {
    case .action(let action, let source, let cause):
      apply(action, from: source, cause: cause)
    case .revise(let body, let id, let completion):
      replaceState(body, id: id)
      completion()
    case .observe(let listener):
      core.withLock { $0.add(listener) }
    case .observeRejections(let listener):
      core.withLock { $0.add(listener) }
    case .subscribe(let listener):
      core.withLock { $0.add(listener) }
      listener(Transition(previous: nil, state: state))
    case .install(let hook):
      let previous = core.withLock { $0.install(hook) }
      begin(hook)
      _ = previous
    }
  }

  private func replaceState(_ body: (State) -> State?, id: UInt64?) {
    guard let state = body(state) else { return }
    if cancelsEffectsOnRestore { cancelEffects { _ in true } }
    let change = core.withLock { $0.replace(state) }
    guard let id else { return tellSubscribers(change, state) }
    handledTurn.during(.restore(id)) { tellSubscribers(change, state) }
  }

  /// The restore that the calling thread is delivering to subscribers right now, if any.
  @usableFromInline
  var handledRestore: ActionCause? { handledTurn.restoreOnThisThread }
}

extension Store {
  /// Gives the hook access to the state and to `dispatch`. It holds the store weakly.
  private func begin(_ hook: any ActionHook<Action, State>) {
    hook.begin(
      state: { [core] in core.withLock { $0.state } },
      dispatch: { [weak self] action, source in
        guard let self else { return }
        self.dispatch(action, cause: self.handledTurn.onThisThread) { source }
      })
  }

  @usableFromInline
  func show(
    _ action: Action, from source: ActionSource, at step: UInt64,
    to hook: any ActionHook<Action, State>
  ) -> (() -> Void)? {
    handledTurn.during(.step(step)) { hook.handle(action, from: source) }
  }

  @usableFromInline
  func run(_ afterReducer: () -> Void, of step: UInt64) {
    handledTurn.during(.step(step), afterReducer)
  }
}

/// Records for which step or restore the store is calling user code, and on which thread. An action
/// that the code dispatches from there has that cause.
struct HandledTurn: ~Copyable, Sendable {
  /// Zero while no such code runs.
  private let thread = Atomic<UInt>(0)
  // Read only on the thread above.
  private let number = Atomic<UInt64>(0)
  private let isRestore = Atomic(false)

  /// Calls `body` with `cause` recorded. The store does this in turns, so it never nests.
  func during<Result>(_ cause: ActionCause, _ body: () -> Result) -> Result {
    switch cause {
    case .step(let step): note(step, isRestore: false)
    case .restore(let restore): note(restore, isRestore: true)
    }
    thread.store(ThreadKey.current.number, ordering: .relaxed)
    defer { thread.store(0, ordering: .relaxed) }
    return body()
  }

  private func note(_ number: UInt64, isRestore: Bool) {
    self.number.store(number, ordering: .relaxed)
    self.isRestore.store(isRestore, ordering: .relaxed)
  }

  /// The cause, if the calling thread is the recorded one.
  var onThisThread: ActionCause? {
    guard thread.load(ordering: .relaxed) == ThreadKey.current.number else { return nil }
    let number = number.load(ordering: .relaxed)
    return isRestore.load(ordering: .relaxed) ? .restore(number) : .step(number)
  }

  /// The same, if the cause is a restore.
  var restoreOnThisThread: ActionCause? {
    guard case .restore(let restore)? = onThisThread else { return nil }
    return .restore(restore)
  }
}

/// An action that was applied, and the state after it: what a debugger records.
public struct Step<Action: Sendable, State: Sendable>: Sendable {
  /// 1 for the first step of a store, then 2, 3, … without gaps. A restore takes no number.
  public let id: UInt64
  /// The action that was applied.
  public let action: Action
  /// The state after `action`.
  public let state: State
  /// Where `action` was dispatched.
  public let source: ActionSource
  /// What dispatched `action`; `nil` if it came from outside.
  package let origin: ActionCause?

  /// The step whose effect or middleware dispatched `action`; `nil` if it came from outside.
  public var cause: UInt64? { origin?.step }

  /// The restore in which a subscriber dispatched `action`.
  package var restore: UInt64? {
    if case .restore(let id) = origin { id } else { nil }
  }

  /// A step made by hand, for tests and for replay.
  @inlinable
  public init(
    id: UInt64, action: Action, state: State, source: ActionSource, cause: UInt64? = nil
  ) {
    self.init(
      id: id, action: action, state: state, source: source,
      origin: cause.map { .step($0) })
  }

  @usableFromInline
  package init(
    id: UInt64, action: Action, state: State, source: ActionSource, origin: ActionCause?
  ) {
    self.id = id
    self.action = action
    self.state = state
    self.source = source
    self.origin = origin
  }
}

extension Step: Equatable where Action: Equatable, State: Equatable {}
