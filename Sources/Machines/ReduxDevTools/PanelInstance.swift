import JSONTree
import SurfControl
import SurfTimeline
import SurfWire

/// One app as a panel sees it, for the gateway and for exports. Takes in an observer's events, and
/// returns messages for panels and requests for the app.
package struct PanelInstance: Sendable {
  /// How much of an app's past to show a panel.
  package struct Bounds: Equatable, Sendable {
    /// A panel keeps every state as an object; more rows make it slow.
    package var rowCountMax = 1_000
    /// The most octets of the app's history to keep here.
    package var byteCountMax = 64 * 1_024 * 1_024
    /// Octets of states in a frame, and of actions: a panel reads them in a tenth of a second.
    package var frameSizeMax = 8 * 1_024 * 1_024

    package init() {}
  }

  /// The app's id in panels, the same throughout the app's life.
  package let id: String
  package private(set) var heartbeat: Heartbeat
  var timeline: Timeline
  var rows = LiftedRows()
  var list = PanelList()
  /// Records that were dropped and fetched again.
  var fetched: FetchedRecords
  /// When this viewer first heard of the app, in milliseconds since 1970.
  let appearedAt: Int64
  /// The actions that the app offers for dispatch, if it has listed them.
  private(set) var creators: [ActionSignature] = []
  /// The row outside of the list that was last compared with the beginning, and the `origin` then.
  var compared: (row: SequenceNumber, origin: SequenceNumber)?
  /// Whether the requested history has arrived, and panels may be sent it.
  package private(set) var isLoaded = false
  let bounds: Bounds

  package init(
    id: String, heartbeat: Heartbeat, bounds: Bounds = Bounds(), appearedAt: Int64 = 0
  ) {
    self.id = id
    self.appearedAt = appearedAt
    self.heartbeat = heartbeat
    self.bounds = bounds
    fetched = FetchedRecords(byteCountMax: bounds.frameSizeMax)
    var limits = Timeline.Bounds()
    limits.rowCountMax = bounds.rowCountMax
    limits.byteCountMax = bounds.byteCountMax
    timeline = Timeline(bounds: limits)
  }

  package var name: String { "\(heartbeat.app)#\(heartbeat.processID)" }
  /// Octets of the app's history.
  package var byteCount: Int { timeline.byteCount + fetched.byteCount }
  /// Octets of the newest states, which the next deltas apply to.
  package var headByteCount: Int { timeline.headByteCount }

  /// Frees the memory of the newest states (`Timeline.restHeads(all:)`).
  package mutating func restHeads(all: Bool) { timeline.restHeads(all: all) }

  /// Drops the app's oldest history until at most `byteCountMax` octets are left.
  package mutating func trim(toBytes byteCountMax: Int) {
    fetched.removeAll()
    timeline.trim(toBytes: byteCountMax)
    if isLoaded { rows.drop(before: timeline.rows.first?.number ?? 0) }
    arrange()
  }

  var takesCommands: Bool { heartbeat.control.contains(.takesCommands) }

  /// Whether the app runs its actions again. An app without a store takes some commands too, but
  /// none that rewrites its history.
  var rewritesHistory: Bool { heartbeat.control.isSuperset(of: [.takesCommands, .replays]) }

  /// A `describe` command to send before panels are shown the app, if it has not reported its
  /// initial state and takes commands.
  package var question: [UInt8]? {
    takesCommands && rows.initial == nil ? HistoryCommand<UInt64>.describe.bytes : nil
  }

  /// Call when the requested history has arrived, or will not. Panels are then sent all of it.
  ///
  /// - Returns: false if it was complete before.
  package mutating func finishLoading() -> Bool {
    guard !isLoaded else { return false }
    isLoaded = true
    rows.drop(before: timeline.rows.first?.number ?? 0)
    arrange()
    return true
  }

  package mutating func note(_ heartbeat: Heartbeat) -> [PanelMessage] {
    self.heartbeat = heartbeat
    timeline.note(heartbeat)
    return follow()
  }

  package mutating func note(_ restored: Restored) -> [PanelMessage] {
    timeline.note(restored)
    return follow()
  }

  package mutating func receive(_ record: Record) -> [PanelMessage] {
    receive(ArrivedRecord(record))
  }

  /// Takes a record as it arrived, after the record that its delta is based on.
  package mutating func receive(_ arrived: ArrivedRecord) -> [PanelMessage] {
    let known = timeline.row(arrived.record.sequence)?.state
    switch timeline.add(arrived) {
    case .row(let record): return show(record)
    case .again(let record, let state?, _): return complete(record, state, without: known)
    case .again, .none: return []
    }
  }

  private mutating func show(_ record: Record) -> [PanelMessage] {
    let change = take(record)
    // While loading, older rows may still arrive.
    let isTrimmed = isLoaded && rows.drop(before: timeline.rows.first?.number ?? 0)
    if isTrimmed { fetched.drop(before: timeline.rows.first?.number ?? 0) }
    switch change {
    case .none where !isTrimmed: return follow()
    case .row where !isTrimmed && appendToList(record):
      let wasAtEnd = list.index == list.ids.count - 1
      let movement = follow(from: wasAtEnd ? list.ids.count : list.index)
      guard isLoaded, movement != [.whole] else { return movement }
      // Its text is not even made: it does not fit a frame, and maybe nobody watches.
      guard source(of: list.ids.count).map(stateSize) ?? 0 <= bounds.frameSizeMax else {
        return [.whole]
      }
      return [.action(step(record))] + movement
    case .none, .row, .all:
      arrange()
      return isLoaded ? [.whole] : []
    }
  }

  /// How much of the panel's list a record changes.
  private enum Change { case none, row, all }

  private mutating func take(_ record: Record) -> Change {
    switch record.kind {
    case _ where isStep(record):
      guard !isPausedHere else { return .none }
      rows.append(record.sequence)
      return .row
    case .log, .mark:
      rows.remark(record.sequence)
      return .row
    case .revision: return learn(record) ? .all : .none
    case .action, .update, .remove, .restored, .other: return .none
    }
  }

  /// Whether a record is a step of history: an action, or a value with the state after it.
  func isStep(_ record: Record) -> Bool {
    switch record.kind {
    case .action: true
    case .update, .restored: timeline.row(record.sequence).map { $0.state != .none } ?? false
    case .log, .mark, .revision, .remove, .other: false
    }
  }

  /// - Returns: false if the record does not describe history.
  @discardableResult
  mutating func learn(_ record: Record) -> Bool {
    guard var news = record.revision else { return false }
    // Without a store the app knows of no pause: panels have it to themselves.
    if !rewritesHistory { news.isPaused = rows.isPaused }
    rows.apply(news, of: record.sequence, state: state(of: record.sequence))
    if !news.creators.isEmpty { creators = news.creators }
    return true
  }

  package mutating func lose(_ range: ClosedRange<SequenceNumber>) { timeline.lose(range) }

  package mutating func retract(from first: SequenceNumber) { timeline.retract(from: first) }

  /// Whether recording is paused here, for an app without a store.
  var isPausedHere: Bool { rows.isPaused && !rewritesHistory }

  /// Returns the messages that move a panel's pointer to where the app is.
  ///
  /// - Parameter index: where the panel has already moved its pointer, if it has.
  private mutating func follow(from index: Int? = nil) -> [PanelMessage] {
    let before = (index: index ?? list.index, tail: list.tail)
    locate()
    guard isLoaded else { return [] }
    if list.tail != before.tail { return [.whole] }
    return list.index == before.index ? [] : [pointer]
  }

  /// The app's place, for a panel that may have moved its pointer.
  package var pointer: PanelMessage {
    if isLarge { return .whole }
    let index = JSONObject.Member(key: "currentStateIndex", value: .number(list.index))
    return .lifted(JSONObject([index]))
  }

  package var position: Position { timeline.position }

  /// The record of a row, without its state.
  package func record(of row: SequenceNumber) -> Record? { timeline.row(row)?.record }

  /// The state that the app is in, if it is known here.
  package var presentState: Content? {
    switch timeline.position {
    case .initial: rows.initial
    case .record(let row): state(of: row)
    case .elsewhere: nil
    }
  }

  func step(_ record: Record) -> PanelStep {
    let isRemark = !isStep(record)
    let row = isRemark ? source(of: list.ids.count) : record.sequence
    let state = row.map(shownState) ?? beginningState
    let json: String? = if case .json(let content) = state { content.jsonText } else { nil }
    return PanelStep(
      id: list.ids.count, row: record.sequence, action: PanelAction.shown(record),
      timestamp: record.wallTime / 1_000_000, state: json ?? "null",
      stack: Trace.stack(of: record, in: timeline), isRemark: isRemark)
  }
}
