import JSONTree
import SurfTimeline
import SurfWire

/// A state for a panel, or the reason why it is missing.
enum ShownState: Equatable {
  case json(Content)
  /// The reason; nil for the app's initial state, which not every app reports.
  case missing(String?)
}

extension PanelInstance {
  /// The newest computed or recorded state after a row.
  func state(of row: SequenceNumber) -> Content? {
    if let revised = rows.revisedState(of: row) { return revised }
    return timeline.state(of: row) ?? fetched.state(of: row)
  }

  /// The same, or the reason why it is missing.
  func shownState(of row: SequenceNumber) -> ShownState {
    if let content = state(of: row) { return .json(content) }
    return .missing(absence(of: row))
  }

  /// The size of a state; 0 if it is not here.
  func stateSize(of row: SequenceNumber) -> Int {
    if let revised = rows.revisedState(of: row) { return revised.bytes.count }
    if case .whole(_, let size)? = timeline.row(row)?.state { return size }
    return fetched.state(of: row)?.bytes.count ?? 0
  }

  func absence(of row: SequenceNumber) -> String {
    guard let known = timeline.row(row) else {
      return timeline.lost.contains(row)
        ? "the app no longer had row \(row) when it was asked for"
        : "row \(row) is not here: this gateway keeps \(bounds.rowCountMax)"
    }
    switch known.state {
    case .dropped(let size):
      return "this gateway had to drop the state, \(size) octets: it keeps "
        + "\(bounds.byteCountMax) of an app. Jump here, and it is fetched from the app"
    case .givenUp:
      return "the app did not send the state: for example, it was too busy, nobody watched, or it "
        + "samples its states"
    case .unmade:
      return "the app sent the state as a change of another, which this gateway does not have. "
        + "Jump here, and it is asked for again"
    case .none: return "this row was recorded without a state"
    case .unreadable: return "the state is in a form that this version does not read"
    case .whole: return "it is here"
    }
  }

  /// The state that the panel's list starts with.
  var beginningState: ShownState {
    switch list.beginning {
    case .whole: rows.beginning.map(ShownState.json) ?? .missing(nil)
    case .cut(let base?): shownState(of: base)
    case .cut(nil): .missing("what came before the first row is not here")
    }
  }

  private var beginningSize: Int {
    switch list.beginning {
    case .whole: rows.beginning?.bytes.count ?? 0
    case .cut(let base): base.map(stateSize) ?? 0
    }
  }

  /// The state of a last row without a record.
  private func tailState(_ tail: PanelList.Tail) -> ShownState {
    let position: Position? = if case .elsewhere(let position) = tail { position } else { nil }
    switch position ?? pausedPosition(tail) {
    case .initial: return rows.initial.map(ShownState.json) ?? .missing(nil)
    case .record(let row): return shownState(of: row)
    case .elsewhere where rows.isPaused:
      return .missing("while recording is paused, the app does not report states")
    case .elsewhere:
      return .missing("the app was moved to a state from elsewhere, which nobody has reported")
    }
  }

  private func pausedPosition(_ tail: PanelList.Tail) -> Position {
    if case .paused(let position?) = tail { return position }
    return source(of: list.ids.count).map { .record($0) } ?? .initial
  }

  /// Whether not all states fit a frame. If so, each move of the app sends those around its place.
  var isLarge: Bool { timeline.wholeByteCount > bounds.frameSizeMax }

  /// The states of all rows, from the beginning to the tail. States that do not fit a frame are
  /// left out, the oldest first; the one at the app's place has priority.
  var shownStates: [ShownState] {
    let sources = sources
    let count = sources.count
    var states = [ShownState](repeating: .missing(leftOut), count: count)
    var room = bounds.frameSizeMax
    for index in [min(list.index, count - 1), 0] + (0..<count).reversed() {
      if case .json = states[index] { continue }
      let row = sources[index]
      let size = row.map(stateSize) ?? beginningSize
      guard size <= room || index == list.index else { break }
      room -= size
      states[index] = row.map(shownState) ?? beginningState
    }
    return states + (list.tail.map { [tailState($0)] } ?? [])
  }

  /// For each place, the row whose state is shown there; nil for the beginning.
  var sources: [SequenceNumber?] {
    let base: SequenceNumber? = if case .cut(let base) = list.beginning { base } else { nil }
    var sources: [SequenceNumber?] = [base]
    sources.reserveCapacity(list.ids.count + 1)
    for id in list.ids { sources.append(isRemark(id) ? sources[sources.count - 1] : id) }
    return sources
  }

  private var leftOut: String {
    "left out: a panel is sent at most \(bounds.frameSizeMax) octets of states at once. Jump here, "
      + "and it is shown"
  }
}

/// The rows of a `PanelInstance` from top to bottom, as a panel lists them, and the app's place.
struct PanelList: Equatable, Sendable {
  /// What the row with id 0 shows.
  enum Beginning: Equatable, Sendable {
    /// The state that history starts with.
    case whole
    /// The state of a row, because earlier rows are not here. Nil if no row can replace them.
    case cut(base: SequenceNumber?)
  }

  /// A last row without a record.
  enum Tail: Equatable, Sendable {
    /// Recording is paused, and the app may do anything. Its position, if no other row has it.
    case paused(Position?)
    /// The app is in a state that no row has.
    case elsewhere(Position)
  }

  var beginning = Beginning.whole
  /// The rows of actions and remarks, without the beginning.
  private(set) var ids: [SequenceNumber] = []
  var tail: Tail?
  /// The app's place in the list; 0 is the beginning.
  var index = 0
  private var isAscending = true

  /// Replaces all rows: actions in the order of history, each remark after the action that preceded
  /// it.
  mutating func arrange(_ actions: ArraySlice<SequenceNumber>, remarks: [SequenceNumber]) {
    ids = remarks.isEmpty ? Array(actions) : Self.merge(actions, remarks)
    isAscending = zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 }
  }

  /// Adds a row if a panel can append it.
  ///
  /// - Returns: false, without effect, if it cannot.
  mutating func append(_ row: SequenceNumber, isRemark: Bool) -> Bool {
    guard tail == nil, isAscending ? row > (ids.last ?? 0) : !isRemark else { return false }
    ids.append(row)
    return true
  }

  private static func merge(_ actions: ArraySlice<SequenceNumber>, _ remarks: [SequenceNumber])
    -> [SequenceNumber]
  {
    var following: [SequenceNumber: [SequenceNumber]] = [:]
    var earlier: SequenceNumber = 0
    var later = actions.sorted()[...]
    for remark in remarks {
      while let next = later.first, next < remark {
        earlier = next
        later.removeFirst()
      }
      following[earlier, default: []].append(remark)
    }
    return (following[0] ?? []) + actions.flatMap { [$0] + (following[$0] ?? []) }
  }
}
