internal import MirrorJSON
internal import SurfControl
internal import SurfHistory
internal import SurfNetwork
internal import SurfStore
internal import SurfThreads
internal import SurfWire
internal import ValueCoding

/// Records the steps of a store, and carries out viewers' commands on its history. Both
/// `HistoryTransceiver` and `StoreTransceiver` have one.
///
/// The history changes only in a turn of the store, so that it always matches the state. The lock
/// is needed because turns run on many threads.
final class Controller<Action: Sendable, State: StateInitializable>: Sendable {
  struct Contents: Sendable {
    var history: History<Action, State>
    var recent = RecentSteps()
    /// The action that a viewer is dispatching right now, and why it was rejected.
    var dispatched: (action: String, objection: Objection?)?
    /// Whether a thread is reading a long import.
    var isImporting = false
  }

  let recorder: Recorder
  let contents: Monitor<Contents>
  /// The rules that a viewer's state must satisfy, as the program's own states must.
  let validators: [Validator<State>]
  /// The actions that viewers offer to dispatch.
  let creators: [ActionSignature]

  init(
    recorder: Recorder, reducer: Reducer<Action, State>, validators: [Validator<State>],
    creators: [ActionSignature]
  ) {
    self.recorder = recorder
    self.validators = validators
    self.creators = creators
    let reducer = reducer.validated(by: validators)
    let log = ActionLog<Action, State>(
      initial: State(), countMax: recorder.settings.replayCountMax
    ) { action, state in
      // The action's effects happened already; only its change of the state is wanted.
      _ = reducer.reduce(action, into: &state)
    }
    contents = Monitor(Contents(history: History(log)))
    announce()
  }

  /// The controller of a `HistoryTransceiver` or a `StoreTransceiver`.
  convenience init<App: StateSurfable>(of app: App.Type, _ recorder: Recorder)
  where App.Action == Action, App.State == State {
    self.init(
      recorder: recorder, reducer: App.reducer, validators: App.validators,
      creators: App.actionCreators.map(\.signature))
  }

  /// The store's gate: refuses an action while a viewer has locked the app, and records that.
  func admits(_ action: Action, from source: ActionSource) -> Bool {
    guard recorder.isOurs, contents.withLock({ $0.history.isLocked }) else { return true }
    warn(RefusedAction(subject: action, ground: .lock), from: source)
    return false
  }

  /// Records that a validator objected to the state that an action led to.
  func reject(_ rejection: Rejection<Action>) {
    guard recorder.isOurs else { return }
    contents.withLock { contents in
      guard let dispatched = contents.dispatched, dispatched.action == "\(rejection.action)"
      else { return }
      contents.dispatched?.objection = rejection.objection
    }
    warn(
      RefusedAction(subject: rejection.action, ground: .objection(rejection.objection)),
      from: rejection.source)
  }

  private func warn(_ refusal: RefusedAction<Action>, from source: ActionSource) {
    _ = recorder.mailbox.add(Entry(kind: .log(.warning), subject: refusal, source: .step(source)))
  }

  /// Copies the step and returns; called on the app's thread.
  func record(_ step: Step<Action, State>) {
    guard recorder.isOurs else { return }
    guard recorder.isOpen, !contents.withLock({ $0.history.isPaused }) else {
      return miss(step)
    }
    let cause = step.cause.flatMap { cause in
      contents.withLock { $0.recent.trace(of: cause) }
    }
    let restore = step.restore ?? cause?.restore
    var entry = Entry(
      kind: .action, subject: step.action, source: .step(step.source), parent: cause?.record)
    if let restore { entry.ancestry = .restore(request: restore) }
    entry.payload = .action(step.action)
    entry.state = .value(step.state)
    entry.isForReplay = true
    guard let id = recorder.mailbox.add(entry) else { return miss(step) }
    contents.withLock { contents in
      contents.recent.remember(RecentSteps.Trace(record: id, restore: restore), of: step.id)
      contents.history.record(id.ticket, step.action, step.state)
    }
  }

  /// Notes a step that is not recorded: the next one builds on a state that no viewer has.
  private func miss(_ step: Step<Action, State>) {
    let isNews = contents.withLock { $0.history.miss(step.state) }
    if isNews { recorder.leaveRecords() }
  }

  /// Notes that a viewer has put the store into a state. If no row has that state, this adds one.
  func moved(_ state: State, by reset: IncomingReset) {
    moved(to: reset.position, state)
    guard reset.position == .elsewhere else { return }
    _ = recorder.mailbox.add(Entry(reset, state: .value(state)))
  }

  /// Notes that the store was put into a state that a viewer took from the row `target`.
  func moved(to target: Position, _ state: State) {
    let id: UInt64? =
      switch target {
      case .initial: 0
      case .record(let row):
        recorder.ticket(of: row).map { ticket in
          contents.withLock { $0.history.action(of: ticket) }
        }
      case .elsewhere: nil
      }
    let isFormer = id.map { !isState($0, state) } ?? false
    contents.withLock { $0.history.moved(to: id, state, isFormer: isFormer) }
  }

  /// Whether the action leads to this state. After a rewrite it may lead to another one.
  private func isState(_ id: UInt64, _ state: State) -> Bool {
    guard let revised = contents.withLock({ $0.history.log.revisedState(of: id) }) else {
      return true
    }
    do {
      let coder = ValueCoder.current.clear
      return try coder.bytes(of: revised) == coder.bytes(of: state)
    } catch {
      return false
    }
  }

  /// Announces in heartbeats which commands the app takes, and whether it is locked or paused.
  func announce() {
    var control: Heartbeat.Control = [.takesCommands, .replays]
    contents.withLock { contents in
      if contents.history.isLocked { control.insert(.locked) }
      if contents.history.isPaused { control.insert(.paused) }
      if contents.history.log.leavesOut { control.insert(.leavesOut) }
    }
    recorder.control.announce(control)
  }
}

/// An action that the app refused; described on the encoding thread.
private struct RefusedAction<Action: Sendable>: ActionNews, CustomStringConvertible {
  enum Ground: Sendable {
    /// A viewer has locked the app.
    case lock
    /// A validator objects to the state that it led to.
    case objection(Objection)
  }

  let subject: Action
  let ground: Ground

  var description: String { text(about: MirrorAction.title(subject)) }

  func text(about name: String) -> String {
    switch ground {
    case .lock: "refused while locked: \(name)"
    case .objection(let objection): "rejected: \(name) (\(objection))"
    }
  }
}

/// The operations that a `Controller` needs of its store, ours or the program's own. Each calls
/// `done` when the work is done, or with the reason why it never will be.
struct StorePort<Action: Sendable, State: Sendable>: Sendable {
  typealias Done = @Sendable (_ obstacle: RefusedCommand?) -> Void

  /// Dispatches an action in the name of a viewer, as if it were the program's own.
  let dispatch: @Sendable (Action, _ viewerName: String, _ done: @escaping Done) -> Void
  /// Calls the body with the state while nothing else changes it, and replaces the state if the
  /// body returns one. A store that can do so records `request`, the viewer's request, as the cause
  /// of what its subscribers dispatch at once.
  let revise:
    @Sendable (
      _ request: UInt64?, _ body: @escaping @Sendable (State) -> State?, _ done: @escaping Done
    ) -> Void
}

extension StorePort {
  init(_ store: Store<Action, State>) {
    dispatch = { action, viewerName, done in
      store.dispatch(action, from: ActionSource(viewer: viewerName))
      // In the turn after the action's, so that the answer follows the action's record.
      store.revise({ _ in nil }, completion: { done(nil) })
    }
    revise = { request, body, done in
      store.revise(body, id: request) { done(nil) }
    }
  }
}

/// The records of a store's latest steps. A step whose cause is older gets no parent.
struct RecentSteps: Sendable {
  /// What a step inherits from its cause.
  struct Trace: Sendable {
    let record: RecordID
    /// The request of the restore that led to the step.
    let restore: UInt64?
  }

  /// Few effects answer after a thousand more steps.
  private static let countMax = 1_024

  private var steps: [(step: UInt64, trace: Trace)?] = Array(repeating: nil, count: countMax)

  mutating func remember(_ trace: Trace, of step: UInt64) {
    steps[Self.place(of: step)] = (step, trace)
  }

  func trace(of step: UInt64) -> Trace? {
    guard let candidate = steps[Self.place(of: step)], candidate.step == step else { return nil }
    return candidate.trace
  }

  private static func place(of step: UInt64) -> Int { Int(step % UInt64(countMax)) }
}
