internal import SurfControl
internal import SurfStore
internal import SurfWire

/// Records the steps of a store, and carries out what viewers ask of its history.
///
/// What belongs to the history is only touched in a turn of the store's, so that it is always that
/// of the state: the lock is there because turns come on many threads.
final class Controller<Action: Sendable, State: StateInitializable>: Sendable {
  typealias Log = ActionLog<Action, State>

  struct Contents: Sendable {
    var log: Log
    var recent = RecentSteps()
    var isLocked = false
    var isPaused = false
    /// Whether viewers were told that the app is in a state that no record carries.
    var isElsewhere = false
    /// Actions not recorded since the pause began.
    var unrecordedCount = 0
  }

  let recorder: Recorder
  let contents: Guarded<Contents>
  /// What people are offered to dispatch.
  let creators: [ActionSignature]

  init(recorder: Recorder, reducer: Reducer<Action, State>, creators: [ActionSignature]) {
    self.recorder = recorder
    self.creators = creators
    contents = Guarded(
      Contents(
        log: Log(initial: State(), countMax: recorder.settings.replayCountMax) { action, state in
          // What an action set off happened already; only what it did to the state is wanted.
          _ = reducer.reduce(action, into: &state)
        }))
    announce()
  }

  /// The one of a program's store.
  convenience init<App: StateSurfable>(of app: App.Type, _ recorder: Recorder)
  where App.Action == Action, App.State == State {
    self.init(
      recorder: recorder, reducer: App.reducer, creators: App.actionCreators.map(\.signature))
  }

  /// The store's gate: says whether an action may pass, and records that one did not.
  func admits(_ action: Action, from source: ActionSource) -> Bool {
    guard recorder.isOurs, contents.withLock({ $0.isLocked }) else { return true }
    let refusal = Refusal(action: action)
    _ = recorder.mailbox.add(Entry(kind: .log(.warning), subject: refusal, source: .step(source)))
    return false
  }

  /// On the app's thread: copies, and returns.
  func record(_ step: Step<Action, State>) {
    guard recorder.isOurs else { return }
    guard recorder.mailbox.isOpen, !contents.withLock({ $0.isPaused }) else { return miss(step) }
    let parent = step.cause.flatMap { cause in
      contents.withLock { $0.recent.record(of: cause) }
    }
    var entry = Entry(
      kind: .action, subject: step.action, source: .step(step.source), parent: parent)
    entry.payload = .valueIfEncodable(step.action)
    entry.state = .value(step.state)
    guard let id = recorder.mailbox.add(entry) else { return miss(step) }
    contents.withLock { contents in
      contents.recent.remember(id, of: step.id)
      contents.log.append(id.ticket, step.action, step.state)
      contents.isElsewhere = false
    }
  }

  /// A step that no viewer will hear of: what comes next builds on a state that none of them has.
  private func miss(_ step: Step<Action, State>) {
    let isNews = contents.withLock { contents in
      defer { contents.isElsewhere = true }
      contents.log.move(to: nil, step.state)
      if contents.isPaused { contents.unrecordedCount += 1 }
      return !contents.isElsewhere
    }
    if isNews { recorder.leaveRecords() }
  }

  /// The store was put into a state, which a viewer took from the row `target`.
  func moved(to target: Position, _ state: State) {
    let id: UInt64? =
      switch target {
      case .initial: 0
      case .record(let row): recorder.ticket(of: row)
      case .elsewhere: nil
      }
    let isCurrent = id.map { isState($0, state) } ?? false
    contents.withLock { contents in
      contents.log.move(to: isCurrent ? id : nil, state)
      contents.isElsewhere = false
    }
  }

  /// Whether the action led to this state: since a rewrite it may lead to another than it did.
  private func isState(_ id: UInt64, _ state: State) -> Bool {
    guard let revised = contents.withLock({ $0.log.revisedState(of: id) }) else { return true }
    do {
      return try Staging.json(revised) == Staging.json(state)
    } catch {
      return false
    }
  }

  /// Tells viewers what may be asked for, and how things stand.
  func announce() {
    var control: Heartbeat.Control = [.takesCommands, .replays]
    contents.withLock { contents in
      if contents.isLocked { control.insert(.locked) }
      if contents.isPaused { control.insert(.paused) }
      if contents.log.leavesOut { control.insert(.leavesOut) }
    }
    recorder.announce(control)
  }
}

/// An action that came while the app was locked; described on the encoding thread.
private struct Refusal<Action: Sendable>: Sendable, CustomStringConvertible {
  let action: Action

  var description: String { "refused while locked: \(action)" }
}
