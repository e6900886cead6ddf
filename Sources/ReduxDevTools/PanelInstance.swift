import JSONTree
import SurfControl
import SurfTimeline
import SurfWire

/// One app as a panel sees it: fed with what a viewer hears of it, asked for messages and for what
/// a command means.
package struct PanelInstance: Sendable {
  /// How much of an app's past a panel is shown.
  package struct Bounds: Equatable, Sendable {
    /// A panel keeps every state as an object; more than this makes it slow.
    package var rowCountMax = 1_000
    package var byteCountMax = 64 * 1_024 * 1_024

    package init() {}
  }

  /// What the panel calls it: the same for as long as the app lives.
  package let id: String
  package private(set) var heartbeat: Heartbeat
  var timeline: Timeline
  var rows = LiftedRows()
  /// What the app offers to be dispatched, as far as it has told.
  private(set) var creators: [ActionSignature] = []
  /// The history as it was when this was asked for is here: from now on panels may be told.
  package private(set) var isLoaded = false
  let bounds: Bounds

  package init(id: String, heartbeat: Heartbeat, bounds: Bounds = Bounds()) {
    self.id = id
    self.heartbeat = heartbeat
    self.bounds = bounds
    var limits = Timeline.Bounds()
    limits.rowCountMax = bounds.rowCountMax
    limits.byteCountMax = bounds.byteCountMax
    // The panel gets every state whole.
    limits.wholeByteCountMax = bounds.byteCountMax
    timeline = Timeline(bounds: limits)
  }

  package var name: String { "\(heartbeat.app)#\(heartbeat.processID)" }
  /// Octets that its history takes.
  package var byteCount: Int { timeline.byteCount }
  /// Whether it can run its actions again; otherwise a skip shows the nearest state.
  var isExact: Bool { heartbeat.control.contains(.replays) }
  var takesCommands: Bool { heartbeat.control.contains(.takesCommands) }

  /// What to ask the app before panels are told of it; nil if it has told everything, or cannot.
  package var question: [UInt8]? {
    takesCommands && rows.initial == nil ? ControlCommand.describe.bytes : nil
  }

  /// Everything that was asked for has come: panels are to be told all of it.
  ///
  /// - Returns: false if that was known.
  package mutating func finishLoading() -> Bool {
    defer { isLoaded = true }
    dropForgotten()
    return !isLoaded
  }

  package mutating func note(_ heartbeat: Heartbeat) -> [PanelMessage] {
    let before = timeline.position
    self.heartbeat = heartbeat
    timeline.note(heartbeat)
    return moved(from: before)
  }

  package mutating func note(_ restored: Restored, isOwn: Bool) -> [PanelMessage] {
    let before = timeline.position
    timeline.note(restored)
    // A panel has moved its pointer already when it asked for a jump.
    return isOwn ? [] : moved(from: before)
  }

  package mutating func receive(_ record: Record) -> [PanelMessage] {
    let wasAtTip = isLoaded && currentIndex == shown.rows.count
    guard timeline.append(record) else { return [] }
    switch record.kind {
    case .action:
      guard !isPausedHere else { return [] }
      rows.append(record.sequence)
      if isLoaded { dropForgotten() }
      guard isLoaded else { return [] }
      guard rows.staged.last == record.sequence else { return [.whole] }
      // A panel that looks at an earlier state stays there; the app does not.
      return [.action(step(record))] + (wasAtTip ? [] : [pointer].compactMap(\.self))
    case .revision:
      guard let payload = record.payload, let revision = Self.revision(payload) else { return [] }
      rows.apply(revision, of: record.sequence)
      if !revision.creators.isEmpty { creators = revision.creators }
      return isLoaded ? [.whole] : []
    case .update, .log, .mark, .other: return []
    }
  }

  /// Rows before the first that is kept. While the past is loading, those are still to come.
  private mutating func dropForgotten() {
    if let oldest = timeline.rows.first?.number { rows.drop(before: oldest) }
  }

  package mutating func lose(_ range: ClosedRange<SequenceNumber>) { timeline.lose(range) }

  /// For an app that takes no commands, recording is paused here.
  var isPausedHere: Bool { rows.isPaused && !takesCommands }

  private static func revision(_ payload: Content) -> Revision? {
    do throws(ControlError) {
      return try Revision(parsing: payload.bytes)
    } catch {
      return nil
    }
  }

  private func moved(from before: Position) -> [PanelMessage] {
    guard isLoaded, timeline.position != before else { return [] }
    return [pointer].compactMap(\.self)
  }

  /// Where the app is, if that is somewhere that a panel is shown.
  private var pointer: PanelMessage? {
    currentIndex.map {
      .lifted(JSONObject([.init(key: "currentStateIndex", value: .number($0))]))
    }
  }

  func step(_ record: Record) -> PanelStep {
    PanelStep(
      id: record.sequence, action: PanelAction.json(of: record),
      timestamp: record.wallTime / 1_000_000,
      state: state(of: record.sequence)?.jsonText ?? "null")
  }

  /// The state after a row, as it was computed last.
  func state(of row: SequenceNumber) -> Content? {
    if let revised = rows.revisedState(of: row) { return revised }
    return timeline.state(of: row)
  }

  /// Where the app is among what a panel shows: 0 for the state that history begins with; nil if
  /// in no state of it.
  var currentIndex: Int? {
    let shown = shown
    switch timeline.position {
    case .initial: return rows.beginsAtStart && shown.base == nil ? 0 : nil
    case .elsewhere: return nil
    case .record(let row):
      // After a revision the app is in the state that the revision's own record carries.
      let isRevision = timeline.row(row)?.record.kind == .revision
      guard let row = isRevision ? rows.current : row else { return shown.base == nil ? 0 : nil }
      if row == shown.base { return 0 }
      // Mostly it is the last.
      return shown.rows.lastIndex(of: row).map { $0 - shown.rows.startIndex + 1 }
    }
  }

  /// The rows that a panel is shown, and the row whose state they begin with, if it is one.
  var shown: (base: SequenceNumber?, rows: ArraySlice<SequenceNumber>) {
    let oldest = timeline.rows.first?.number ?? 1
    // With all of the past, history begins with the app's own beginning, or with a commit.
    guard oldest > 1, rows.committed == nil, let first = rows.staged.first else {
      return (nil, rows.staged[...])
    }
    return (first, rows.staged.dropFirst())
  }
}
