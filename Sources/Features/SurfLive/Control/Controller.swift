package import FoundationEssentials
internal import MirrorJSON
internal import SurfControl
internal import SurfHistory
internal import SurfNetwork
package import SurfStore
internal import SurfThreads
internal import SurfValues
internal import SurfWire
internal import ValueCoding

/// Records the steps of a store, and carries out viewers' commands on its history. Both
/// `HistoryTransceiver` and `StoreObserver` have one.
///
/// The history changes only in a turn of the store, so that it always matches the state. The lock
/// is needed because turns run on many threads.
package final class Controller<Action: Sendable, State: Codable & Sendable>: Sendable {
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
  let states: StateFactory<State>
  /// The rules that a viewer's state must satisfy, as the program's own states must.
  let validators: [Validator<State>]
  /// The actions that viewers offer to dispatch.
  let creators: [ActionSignature]

  fileprivate init(
    recorder: Recorder, states: StateFactory<State>, reducer: Reducer<Action, State>,
    validators: [Validator<State>], creators: [ActionSignature]
  ) {
    self.recorder = recorder
    self.states = states
    self.validators = validators
    self.creators = creators
    let reducer = reducer.validated(by: validators)
    let log = ActionLog<Action, State>(
      initial: states.initial, countMax: recorder.settings.replayCountMax
    ) { action, state in
      // The action's effects happened already; only its change of the state is wanted.
      _ = reducer.reduce(action, into: &state)
    }
    contents = Monitor(Contents(history: History(log)))
    announce()
  }

  /// The store's gate: refuses an action while a viewer has locked the app, and records that.
  package func admits(_ action: Action, from source: ActionSource) -> Bool {
    guard recorder.isOurs, contents.withLock({ $0.history.isLocked }) else { return true }
    warn(RefusedAction(subject: action, ground: .lock), from: source)
    return false
  }

  /// Records that a validator objected to the state that an action led to.
  package func reject(_ rejection: Rejection<Action>) {
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
    _ = recorder.add(Entry(kind: .log(.warning), subject: refusal, source: .step(source)))
  }

  /// Copies the step and returns; called on the app's thread.
  package func record(_ step: Step<Action, State>) {
    guard recorder.isOurs else { return }
    guard recorder.isOpen, !contents.withLock({ $0.history.isPaused }) else {
      return miss(step)
    }
    let cause = step.cause.flatMap { cause in
      contents.withLock { $0.recent.trace(of: cause) }
    }
    let restore = step.restore ?? cause?.restore
    var entry = Entry(
      kind: .action, subject: step.action, source: .step(step.source), parent: cause?.record,
      payload: .action(step.action), state: .value(step.state))
    if let restore { entry.ancestry = .restore(request: restore) }
    entry.isForReplay = true
    guard let id = recorder.add(entry) else { return miss(step) }
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
    var control = Heartbeat.Control.allCommands
    if !(Action.self is any Decodable.Type) { control.remove(.takesActions) }
    contents.withLock { contents in
      if contents.history.isLocked { control.insert(.locked) }
      if contents.history.isPaused { control.insert(.paused) }
      if contents.history.log.leavesOut { control.insert(.leavesOut) }
    }
    recorder.control.announce(control)
  }
}

extension Recorder {
  /// The controller of an app's history.
  ///
  /// - Parameters:
  ///   - creators: The actions that viewers offer to dispatch, as `ActionCreator` has them.
  ///   - initial: The state that the app starts in, and that a reset without bytes returns to.
  ///   - read: Makes a state from a viewer's bytes; nil refuses them.
  package func controller<Action: Sendable, State: Codable & Sendable>(
    reducer: Reducer<Action, State>, validators: [Validator<State>],
    creators: [(name: String, arguments: [String])], initial: State,
    read: @escaping @Sendable (Data) -> State?
  ) -> Controller<Action, State> {
    Controller(
      recorder: self, states: StateFactory(initial: initial, read: read), reducer: reducer,
      validators: validators,
      creators: creators.map { ActionSignature(name: $0.name, arguments: $0.arguments) })
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

/// The records of a store's latest steps. A step whose cause is older gets no parent.
struct RecentSteps: Sendable {
  /// The data that a step inherits from its cause.
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
