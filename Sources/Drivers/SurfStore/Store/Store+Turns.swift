internal import SurfThreads

/// How long one caller works for others.
enum StoreLimits {
  /// About a second of work. A chain of actions that ends is shorter.
  static let turnCountOfCallMax = 1 << 20
  /// A task lets others run after so many: some milliseconds.
  static let turnCountOfTaskMax = 1 << 12
  /// Of `steps`: as many as a debugger keeps waiting.
  static let unreadStepCountMax = 65_536
}

extension Store {
  func enqueue(_ turn: StoreCore<Action, State>.Turn) {
    // An idle store keeps no queue: the first turn is taken at once.
    guard core.withLock({ $0.begin(turn) }) else { return }
    perform(turn)
    if !drain(turnCountMax: StoreLimits.turnCountOfCallMax) { drainElsewhere() }
  }

  /// Works through the queue; only one thread at a time gets here. False if so many turns were not
  /// enough: the store is not idle then, and somebody must go on.
  private func drain(turnCountMax: Int) -> Bool {
    var turnCount = 0
    while let turns = core.withLock({ $0.takeTurns() }) {
      for turn in turns { perform(turn) }
      turnCount += turns.count
      if turnCount >= turnCountMax { return false }
    }
    return true
  }

  private func drainElsewhere() {
    // Unstructured because `dispatch` is synchronous, and detached because it is nobody's in
    // particular. Weak: a store that nobody holds need not go on.
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
    case .revise(let body, let completion):
      replaceState(body)
      completion()
    case .observe(let listener):
      core.withLock { $0.add(listener) }
    case .subscribe(let listener):
      core.withLock { $0.add(listener) }
      listener(Transition(previous: nil, state: state))
    case .install(let middleware):
      let previous = core.withLock { $0.install(middleware) }
      giveContext(to: middleware)
      _ = previous
    }
  }

  private func replaceState(_ body: (State) -> State?) {
    guard let state = body(state) else { return }
    if cancelsEffectsOnRestore { cancelEffects { _ in true } }
    let change = core.withLock { $0.replace(state) }
    change.tellSubscribers(state)
  }

  private func apply(_ action: Action, from source: ActionSource, cause: UInt64?) {
    guard admits(action, source) else { return }
    var (state, id, middleware) = core.withLock { ($0.state, $0.nextStep, $0.middleware) }
    let afterReducer = middleware.map { middleware in
      handledStep.during(id) { middleware.handle(action, from: source) }
    }
    let effects = reducer.reduce(action, into: &state)
    let change = core.withLock { [state] in $0.commit(state) }
    let step = Step(id: id, action: action, state: state, source: source, cause: cause)
    for observer in change.observers { observer(step) }
    change.tellSubscribers(state)
    if let afterReducer { handledStep.during(id) { afterReducer.run() } }
    for effect in effects { run(effect, of: id) }
  }

  /// The context leads to what the store guards, and only weakly to the store.
  private func giveContext(to middleware: StoreMiddleware<Action, State>) {
    middleware.receiveContext(
      getState: { [core] in core.withLock { $0.state } },
      output: AnyActionHandler { [weak self] action, source in
        guard let self else { return }
        self.enqueue(.action(action, source, cause: self.handledStep.onThisThread))
      })
  }
}
