package import SurfPersistence
internal import SurfStore
internal import SurfThreads

/// The store behind all `SwiftyState` handles, with its rows, validators, gate and undo.
package final class SwiftyEngine: Sendable {
  /// A change of the state, as an action of the store.
  enum Event: Sendable {
    case run(any SwiftyAction, isForced: Bool)
    case load(any SwiftyStateStoreProtocol, origin: String)

    /// The value that a row shows as the action.
    var subject: any Sendable {
      switch self {
      case .run(let action, _): action
      case .load(_, let origin): origin
      }
    }
  }

  private struct Place { weak var store: Store<Event, HeldState>? }

  static let shared = SwiftyEngine()

  let store: Store<Event, HeldState>
  let persistence: Persistence
  private let notebook: Monitor<Notebook>
  private let observations: [Subscription]

  /// Makes an engine without a store, which saves in `persistence`.
  package init(persistence: Persistence = Persistence(name: "SwiftyState.json")) {
    self.persistence = persistence
    let notebook = Monitor(Notebook())
    self.notebook = notebook
    let place = Monitor(Place())
    let store = Store<Event, HeldState>(
      initial: .none, reducer: .reduce(Self.apply),
      validators: [Validator(name: "SwiftyState") { Self.objection(to: $0, notebook) }]
    ) { event, _ in
      Self.admits(event, in: place.withLock { $0.store }, notebook)
    }
    place.withLock { $0.store = store }
    self.store = store
    observations = [
      store.observe { Self.note($0, notebook) },
      store.observeRejections { [weak store] rejection in
        let row = SwiftyRow(
          rejection.action.subject, state: store?.state.state,
          fate: .rejected(rejection.objection), change: rejection.action)
        Self.tell(row, notebook)
      },
    ]
  }

  var state: (any SwiftyStateStoreProtocol)? { store.state.state }

  private static func apply(_ event: Event, to held: inout HeldState) {
    guard let state = held.state else { return }
    switch event {
    case .run(let action, let isForced):
      held = held.followed(by: action.reducer(state: state), isForced: isForced)
    case .load(let state, _):
      held = held.followed(by: state)
    }
  }

  /// The objection to a state, by the engine's own rules or the program's validators.
  private static func objection(
    to held: HeldState, _ notebook: Monitor<Notebook>
  ) -> Objection? {
    guard let state = held.state else { return refusal("no store is set") }
    if let previous = held.previous, type(of: previous) != type(of: state) {
      return refusal("a \(type(of: state)) is not a \(type(of: previous))")
    }
    return notebook.withLock { $0.validators }.objection(to: state)
  }

  private static func refusal(_ reason: String) -> Objection {
    Objection(validator: "SwiftyState", reason: reason)
  }
}

// Called in the turns of the store.
extension SwiftyEngine {
  /// Asks the gate, and records the changes that it refuses.
  private static func admits(
    _ event: Event, in store: Store<Event, HeldState>?, _ notebook: Monitor<Notebook>
  ) -> Bool {
    guard let gate = notebook.withLock({ $0.gate }) else { return true }
    if gate.admits(SwiftyChange(event: event)) { return true }
    let row = SwiftyRow(
      event.subject, state: store?.state.state, fate: .refused, change: event)
    tell(row, notebook)
    return false
  }

  /// Records a step, and makes it undoable.
  private static func note(_ step: Step<Event, HeldState>, _ notebook: Monitor<Notebook>) {
    let (isElsewhere, forgotten) = notebook.withLock { notebook in
      defer { notebook.isElsewhere = false }
      let previous = step.state.isChange ? step.state.previous : nil
      return (notebook.isElsewhere, previous.map { notebook.travel.changed(from: $0) })
    }
    _ = forgotten
    let subject = step.action.subject
    var change = step.action
    if isElsewhere, let state = step.state.state {
      change = .load(state, origin: String(describing: subject))
    }
    tell(SwiftyRow(subject, state: step.state.state, change: change), notebook)
  }

  private static func tell(_ row: SwiftyRow, _ notebook: Monitor<Notebook>) {
    let (observers, forgotten) = notebook.withLock { ($0.observers, $0.collect(row)) }
    _ = forgotten
    for observer in observers.values { observer(row) }
  }
}

extension SwiftyEngine {
  /// Dispatches an action, or records it as frozen if the engine is stopped.
  func run(_ action: some SwiftyAction, isForced: Bool, from source: ActionSource) {
    if notebook.withLock({ $0.isRunning }) {
      return store.dispatch(.run(action, isForced: isForced), from: source)
    }
    store.revise { [notebook] held in
      let row = SwiftyRow(
        action, state: held.state, fate: .frozen, change: .run(action, isForced: isForced))
      Self.tell(row, notebook)
      return nil
    }
  }

  /// Starts again with `state`, which cannot be undone.
  func begin(with state: any SwiftyStateStoreProtocol) {
    store.revise { [notebook] held in
      _ = notebook.withLock { notebook in
        defer { (notebook.travel, notebook.isElsewhere) = (Travel(), true) }
        return notebook.travel
      }
      return held.followed(by: state)
    }
  }

  /// Replaces the state by a stored one.
  func load(
    _ state: any SwiftyStateStoreProtocol, by origin: String
  ) throws(SwiftyStateError) {
    // Asked here as well, because the store's turn may come after this returns.
    let objection = objection(to: state)
    store.dispatch(.load(state, origin: origin))
    if let objection { throw .rejected(objection) }
  }

  /// Replaces the state without a row.
  func restore(_ state: any SwiftyStateStoreProtocol) throws(SwiftyStateError) {
    if let objection = objection(to: state) { throw .rejected(objection) }
    store.revise { [notebook] held in
      notebook.withLock { $0.isElsewhere = true }
      return held.followed(by: state)
    }
  }

  /// Replaces the state by the result of `change`, for a viewer that knows which row it belongs to.
  func revise(
    _ change:
      @escaping @Sendable (any SwiftyStateStoreProtocol) -> (any SwiftyStateStoreProtocol)?
  ) async {
    await withCheckedContinuation { continuation in
      store.revise { [notebook] held in
        guard let state = held.state, let next = change(state) else { return nil }
        notebook.withLock { $0.isElsewhere = false }
        return held.followed(by: next)
      } completion: {
        continuation.resume()
      }
    }
  }

  func objection(to state: any SwiftyStateStoreProtocol) -> Objection? {
    let held = store.state
    guard held.state != nil else { return Self.refusal("no store is set") }
    return Self.objection(to: held.followed(by: state), notebook)
  }

  /// Replaces the state by the result of `find`, unless that is nil.
  func travel(
    _ find:
      @escaping @Sendable (
        inout Travel, any SwiftyStateStoreProtocol
      ) -> (any SwiftyStateStoreProtocol)?
  ) {
    store.revise { [notebook] held in
      held.state.flatMap { state in
        notebook.withLock { notebook in
          let other = find(&notebook.travel, state)
          if other != nil { notebook.isElsewhere = true }
          return other
        }.map { held.followed(by: $0) }
      }
    }
  }

  func save() throws(SwiftyStateError) {
    guard let state else { throw .noStore }
    do throws(PersistenceError) {
      try persistence.save(state)
    } catch {
      throw .file(error)
    }
  }

  func set(_ validator: Validator<any SwiftyStateStoreProtocol>) {
    _ = notebook.withLock { $0.set(validator) }
  }

  func setGate(_ admits: @escaping @Sendable (SwiftyChange) -> Bool) {
    _ = notebook.withLock { notebook in
      defer { notebook.gate = SwiftyGate(admits: admits) }
      return notebook.gate
    }
  }

  func setRunning(_ isRunning: Bool) { notebook.withLock { $0.isRunning = isRunning } }
}

// Subscribers and observers.
extension SwiftyEngine {
  func subscribe(_ body: @escaping SwiftySubscription.Body) -> String {
    let subscription = store.subscribe(
      with: Listener { transition in
        let held = transition.state
        // The first call, with the state of the moment, is not a change.
        guard transition.previous != nil, held.isNews, let state = held.state else { return }
        body(state, held.previous)
      })
    return notebook.withLock { $0.add(.init(body: body, subscription: subscription)) }
  }

  func unsubscribe(_ id: String) {
    notebook.withLock { $0.subscribers.removeValue(forKey: id) }?.subscription.cancel()
  }

  func hotStart(_ id: String) {
    store.revise { [notebook] held in
      if let state = held.state {
        notebook.withLock { $0.subscribers[id] }?.body(state, nil)
      }
      return nil
    }
  }

  var rows: [SwiftyRow] { notebook.withLock { $0.rows.elements } }

  func startDebug(rowCountMax: Int) {
    // In a turn, so that the state of the first row precedes the second row.
    store.revise { [notebook] held in
      let row = SwiftyRow("SwiftyState debug started", state: held.state)
      _ = notebook.withLock { $0.startDebug(row, rowCountMax: rowCountMax) }
      return nil
    }
  }

  func stopDebug() { notebook.withLock { $0.isDebugging = false } }

  func observe(_ body: @escaping @Sendable (SwiftyRow) -> Void) -> Int {
    notebook.withLock { $0.add(Listener(body)) }
  }

  func stopObserving(_ number: Int) {
    _ = notebook.withLock { $0.observers.removeValue(forKey: number) }
  }
}
