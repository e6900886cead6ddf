internal import JSONTree
internal import SurfControl
internal import SurfHistory
internal import SurfStore

/// A state and its JSON as a panel gets it.
struct Shown<State: Sendable>: Sendable {
  /// Nil if the state is only listed and cannot be restored.
  var value: State?
  /// Nil if it has not been encoded for a panel.
  var text: String?
}

/// An action and the state after it, as a panel gets them.
struct ReportedStep: Equatable, Sendable {
  /// The enum cases of the action, from the outside in: `count.add`.
  var name: String
  var action: String
  var state: String
  /// Milliseconds since 1970.
  var time: Int64
}

/// An action in the history, or one that was rejected.
enum Attempt<Action: Sendable>: Sendable {
  case happened(Action)
  /// A validator objected. Running it again changes nothing either.
  case rejected
}

/// The app's recent history for `DevToolsMachine`, by the panel's numbers: 0 is the state that the
/// panel got first, 1 the first action. Evictions do not change numbers. Only `renumber` does.
struct NumberedHistory<Action: Sendable, State: Sendable>: Sendable {
  typealias Engine = History<Attempt<Action>, Shown<State>>

  private struct Note {
    var name = "action"
    let action: String
    let time: Int64
    var isRejection = false
  }

  /// Limits on the kept history. It always keeps at least one action.
  struct Bounds: Sendable {
    let count: Int
    /// Bytes of JSON.
    let byteCount: Int
  }

  private var engine: Engine
  private var notes: [UInt64: Note] = [:]
  /// Evicted actions that are still in `engine`, because each removal scans the whole log.
  private var hiddenCount = 0
  /// The number of the state before the first kept action.
  private var firstNumber = 0
  private var byteCount = 0
  private var leavesOut = false
  /// The id of the latest action.
  private(set) var lastID: UInt64 = 0
  private let bounds: Bounds
  private let encode: @Sendable (State) -> String

  /// - Parameter reducer: Replays actions. Nil if only the store has the reducer.
  init(
    initial: State, bounds: Bounds, reducer: Reducer<Action, State>?,
    encode: @escaping @Sendable (State) -> String
  ) {
    self.bounds = bounds
    self.encode = encode
    let run = reducer.map { reducer in
      { @Sendable (attempt: Attempt<Action>, shown: inout Shown<State>) in
        guard case .happened(let action) = attempt, var state = shown.value else { return }
        // The effects of the action have already run.
        _ = reducer.reduce(action, into: &state)
        shown = Shown(value: state, text: encode(state))
      }
    }
    engine = History(
      ActionLog(
        initial: Shown(value: initial, text: encode(initial)), countMax: bounds.count, run: run))
  }
}

extension NumberedHistory {
  private var entries: ArraySlice<ActionLog<Attempt<Action>, Shown<State>>.Entry> {
    engine.log.entries.dropFirst(hiddenCount)
  }

  var isExact: Bool { engine.log.isExact }
  var isPaused: Bool { engine.isPaused }
  var isLocked: Bool { engine.isLocked }
  var isAtStart: Bool { engine.log.isAtStart }

  /// The state that the app is in.
  var state: Shown<State> { engine.log.state }

  var stateText: String { text(of: state) }

  /// The state before the first kept action.
  var base: String {
    let shown =
      hiddenCount == 0 ? engine.log.committed : engine.log.entries[hiddenCount - 1].state
    return text(of: shown)
  }

  /// The number of the newest action.
  var tip: Int { firstNumber + entries.count }

  /// The number of the state that the app is in. Nil if that state has no number.
  var place: Int? {
    guard case .entry(let id) = engine.log.place else {
      return if case .committed = engine.log.place { firstNumber } else { nil }
    }
    let index = entries.firstIndex { $0.id == id }
    return index.map { number(at: $0) } ?? firstNumber
  }

  /// The numbers of the skipped actions.
  var skipped: Set<Int> {
    guard leavesOut else { return [] }
    return Set(entries.indices.filter { entries[$0].isSkipped }.map(number))
  }

  var steps: [ReportedStep] { entries.map(told) }

  /// The steps that are neither skipped nor rejected.
  var stepsInForce: [ReportedStep] {
    entries.filter { !$0.isSkipped && notes[$0.id]?.isRejection != true }.map(told)
  }

  private func number(at index: Int) -> Int { firstNumber + index - hiddenCount + 1 }

  private func told(_ entry: ActionLog<Attempt<Action>, Shown<State>>.Entry) -> ReportedStep {
    let note = notes[entry.id]
    return ReportedStep(
      name: note?.name ?? "action", action: note?.action ?? "{}", state: text(of: entry.state),
      time: note?.time ?? 0)
  }

  private func text(of shown: Shown<State>) -> String {
    shown.text ?? shown.value.map(encode) ?? "null"
  }

  private func id(of number: Int) -> UInt64? {
    guard number > firstNumber, number <= tip else { return nil }
    return engine.log.entries[hiddenCount + number - firstNumber - 1].id
  }
}

// What happens to the app.
extension NumberedHistory {
  /// - Parameter action: Nil if it cannot be replayed.
  mutating func record(_ action: Action?, _ step: ReportedStep, _ value: State) {
    add(
      action.map(Attempt.happened), Shown(value: value, text: step.state),
      Note(name: step.name, action: step.action, time: step.time))
  }

  /// Adds a rejected action, which leaves the app's state as it is.
  mutating func reject(_ step: ReportedStep) {
    add(
      .rejected, Shown(value: state.value, text: step.state),
      Note(name: step.name, action: step.action, time: step.time, isRejection: true))
  }

  private mutating func add(_ attempt: Attempt<Action>?, _ shown: Shown<State>, _ note: Note) {
    lastID &+= 1
    notes[lastID] = note
    engine.record(lastID, attempt, shown)
    byteCount += note.action.utf8.count + (shown.text?.utf8.count ?? 0)
    trim()
  }

  /// Notes that an action that is not reported to the panel led to `value`.
  mutating func miss(_ value: State) { _ = engine.miss(Shown(value: value)) }

  /// Notes that a restore has put the app into the state of `other`.
  mutating func settle(like other: NumberedHistory) {
    if let place = other.place, let id = id(of: place),
      engine.log.entries.last(where: { $0.id == id })?.state.text == other.state.text
    {
      engine.moved(to: id, other.state)
    } else {
      engine.moved(to: nil, other.state)
    }
  }

  /// Notes that the app is in the state of `other`, which has no number here.
  mutating func stay(in other: NumberedHistory) { engine.moved(to: nil, other.state) }

  /// Restarts the numbers at 0, for a panel that is about to get the whole history.
  mutating func renumber() { firstNumber = 0 }

  /// Ends the panel's pause and lock, because the panel is gone.
  mutating func release() { engine.release() }

  mutating func jump(to number: Int) throws(RefusedCommand) {
    evictHidden()
    if number == firstNumber { return engine.movedToBeginning() }
    guard let id = id(of: number), let entry = entries.first(where: { $0.id == id }) else {
      throw RefusedCommand(
        "action \(number) is no longer available: the app keeps only the latest")
    }
    engine.moved(to: id, entry.state)
  }

  /// Performs a command completely, or throws and changes nothing.
  mutating func perform(
    _ command: HistoryCommand<Int>, reading reader: Plan<Attempt<Action>, Shown<State>>.Reader,
    at time: Int64
  ) throws(RefusedCommand) -> Engine.Change {
    evictHidden()
    let known = try command.map { number throws(RefusedCommand) in
      guard let id = id(of: number) else {
        throw RefusedCommand("action \(number) is not in this history")
      }
      return id
    }
    var limits = Plan<Attempt<Action>, Shown<State>>.ImportLimits()
    limits.rowCountMax = bounds.count
    let plan = try Plan(known, in: engine.log, reading: reader, keeping: limits)
    var (last, entered) = (lastID, notes)
    let now = Shown(value: state.value, text: text(of: state))
    let change = try engine.perform(plan, in: now) { step in
      last &+= 1
      entered[last] = Note(name: step.name, action: step.payload?.text() ?? "{}", time: time)
      return last
    }
    (lastID, notes) = (last, entered)
    takeStock()
    return change
  }

  /// Recomputes counts and sizes after a command, which may have changed anything.
  private mutating func takeStock() {
    let ids = Set(engine.log.ids)
    notes = notes.filter { ids.contains($0.key) }
    leavesOut = engine.log.leavesOut
    byteCount = entries.reduce(0) { $0 + size(of: $1) }
    trim()
  }

  /// Evicts the oldest actions while the history exceeds a limit, but never the newest.
  private mutating func trim() {
    while let oldest = entries.first,
      entries.count > bounds.count || (byteCount > bounds.byteCount && entries.count > 1)
    {
      byteCount -= size(of: oldest)
      hiddenCount += 1
      firstNumber += 1
    }
    if hiddenCount * 4 > entries.count { evictHidden() }
  }

  private mutating func evictHidden() {
    for entry in engine.log.entries.prefix(hiddenCount) { notes[entry.id] = nil }
    engine.evict(hiddenCount)
    hiddenCount = 0
  }

  private func size(of entry: ActionLog<Attempt<Action>, Shown<State>>.Entry) -> Int {
    (notes[entry.id]?.action.utf8.count ?? 0) + (entry.state.text?.utf8.count ?? 0)
  }
}
