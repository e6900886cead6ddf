import JSONTree
import SurfWire

extension PanelInstance {
  /// The whole history as redux-devtools-instrument has it. Row 0 is `@@INIT`, with the state that
  /// history begins with; other ids are the rows' numbers, so that a panel and `statesurf` mean the
  /// same by one.
  package var liftedText: String {
    let shown = shown
    let base = beginning?.jsonBytes ?? Self.null
    let records = shown.rows.map { timeline.row($0)?.record }
    var actions: [[UInt8]] = [Self.action("@@INIT", at: records.first??.wallTime ?? 0)]
    var states: [[UInt8]] = [Self.computed(base)]
    for (row, record) in zip(shown.rows, records) {
      let lifted = record.map(Self.lifted) ?? Self.action("(row \(row) is gone)", at: 0)
      actions.append(Array("\"\(row)\":".utf8) + lifted)
      states.append(Self.computed(state(of: row)?.jsonBytes))
    }
    actions[0] = Array("\"0\":".utf8) + actions[0]
    let skipped = shown.rows.filter { rows.skipped.contains($0) }
    let ids = [0] + shown.rows
    var text = Text("{\"monitorState\":{},\"actionsById\":{")
    text.append(joined: actions)
    text.append("},\"nextActionId\":\(nextActionID),\"stagedActionIds\":[")
    text.append(joined: ids.map { Array("\($0)".utf8) })
    text.append("],\"skippedActionIds\":[")
    text.append(joined: skipped.map { Array("\($0)".utf8) })
    text.append("],\"committedState\":")
    text.append(base)
    text.append(",\"currentStateIndex\":\(currentIndex ?? ids.count - 1),\"computedStates\":[")
    text.append(joined: states)
    text.append("],\"isLocked\":\(rows.isLocked),\"isPaused\":\(rows.isPaused)}")
    return text.string
  }

  /// Every step that a panel is shown, for one that knows no lifted state, and the state before.
  package var steps: (initial: String, steps: [PanelStep]) {
    let shown = shown
    let steps = shown.rows.compactMap { timeline.row($0).map { step($0.record) } }
    return (beginning?.jsonText ?? "null", steps)
  }

  /// What a panel saves as a file: the actions that count, and the state that they begin with.
  var export: PanelMessage {
    let shown = shown
    let actions = shown.rows.filter { !rows.skipped.contains($0) }
      .compactMap { timeline.row($0).map { PanelAction.json(of: $0.record) } }
    return .export(actions: JSON.array(actions).text(), committed: beginning?.jsonText ?? "null")
  }

  /// The state that what a panel is shown begins with, if it is known.
  private var beginning: Content? {
    if let row = shown.base { state(of: row) } else { rows.beginning }
  }

  var nextActionID: SequenceNumber { (rows.staged.max() ?? 0).next }

  private static let null = Array("null".utf8)

  private static func lifted(_ record: Record) -> [UInt8] {
    let action: JSON = [
      "type": "PERFORM_ACTION", "action": PanelAction.json(of: record),
      "timestamp": .number(record.wallTime / 1_000_000),
    ]
    return action.bytes()
  }

  private static func action(_ name: String, at wallTime: Int64) -> [UInt8] {
    let action: JSON = [
      "type": "PERFORM_ACTION", "action": ["type": .string(name)],
      "timestamp": .number(wallTime / 1_000_000),
    ]
    return action.bytes()
  }

  private static func computed(_ state: [UInt8]?) -> [UInt8] {
    let missing = "null,\"error\":\"the app was too busy to send this state\""
    return Array("{\"state\":".utf8) + (state ?? Array(missing.utf8)) + Array("}".utf8)
  }
}

/// A text that is put together from pieces that are JSON already.
private struct Text {
  private var bytes: [UInt8]

  init(_ start: String) { bytes = Array(start.utf8) }

  var string: String { String(decoding: bytes, as: UTF8.self) }

  mutating func append(_ piece: String) { bytes += piece.utf8 }
  mutating func append(_ piece: [UInt8]) { bytes += piece }

  mutating func append(joined pieces: [[UInt8]]) {
    for (index, piece) in pieces.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += piece
    }
  }
}
