import JSONTree
import SurfTimeline
import SurfWire

extension PanelInstance {
  /// The lifted state of the whole history, as in redux-devtools-instrument. Action 0 is `@@INIT`,
  /// with the state that history starts with. The ids are places, as a panel's Test tab expects.
  package var liftedText: String {
    let states = shownStates
    let count = 1 + list.ids.count + (list.tail == nil ? 0 : 1)
    let ids = Array(0..<count)
    let skipped = list.ids.indices.filter { rows.skipped.contains(list.ids[$0]) }.map { $0 + 1 }
    var text = Text("{\"monitorState\":{},\"actionsById\":{")
    text.append(joined: zip(ids, liftedActions).map { Array("\"\($0)\":".utf8) + $1 })
    text.append("},\"nextActionId\":\(count)")
    text.append(",\"stagedActionIds\":[")
    text.append(joined: ids.map { Array("\($0)".utf8) })
    text.append("],\"skippedActionIds\":[")
    text.append(joined: skipped.map { Array("\($0)".utf8) })
    text.append("],\"committedState\":")
    text.append(Self.committed(states[0]))
    text.append(",\"currentStateIndex\":\(list.index),\"computedStates\":[")
    text.append(joined: states.map(Self.computed))
    text.append("],\"isLocked\":\(rows.isLocked),\"isPaused\":\(rows.isPaused)}")
    return text.string
  }

  /// How many actions an import of `liftedText` makes.
  package var actionCount: Int { list.ids.count(where: isAction) }

  /// All actions in the panel's list and the state before them, for a panel without lifted state.
  package var steps: (initial: String, steps: [PanelStep]) {
    let actions = list.ids.filter(isAction)
    let steps = actions.compactMap { timeline.row($0).map { step($0.record) } }
    return (beginningText, steps)
  }

  /// A file that a panel saves: the actions that are not skipped, and the state before them.
  var export: PanelMessage {
    let actions = list.ids.filter { isAction($0) && !rows.skipped.contains($0) }
      .compactMap { timeline.row($0).map { PanelAction.json(of: $0.record) } }
    return .export(
      actions: ExactNumber.marked(JSON.array(actions).text()),
      committed: ExactNumber.marked(beginningText))
  }

  private var beginningText: String {
    if case .json(let content) = beginningState { content.jsonText } else { "null" }
  }

  // MARK: Actions

  /// The actions of the beginning, of all rows, and of the tail.
  private var liftedActions: [[UInt8]] {
    var room = bounds.frameSizeMax
    var actions: [[UInt8]] = []
    // The newest get the space if there is not enough.
    for id in list.ids.reversed() {
      let action = liftedAction(id, room: room)
      room -= min(room, action.count)
      actions.append(action)
    }
    actions.append(beginningAction)
    return actions.reversed() + (list.tail.map { [tailAction($0)] } ?? [])
  }

  private func liftedAction(_ row: SequenceNumber, room: Int) -> [UInt8] {
    guard let record = fetched[row] ?? timeline.row(row)?.record else {
      return Self.action(["type": .string("(row \(row) is gone)")], at: startedAt)
    }
    let step = PanelStep(
      id: 0, row: row, action: PanelAction.shown(record), timestamp: record.wallTime / 1_000_000,
      state: "", stack: Trace.stack(of: record, in: timeline))
    let action = step.lifted.bytes()
    guard action.count > room else { return ExactNumber.marked(action) }
    return Self.action(
      ["type": .string(record.name), "payload": .string("(left out: \(action.count) octets)")],
      at: step.timestamp)
  }

  private var beginningAction: [UInt8] {
    guard case .cut = list.beginning else {
      return Self.action(["type": "@@INIT"], at: startedAt)
    }
    let oldest = timeline.rows.first?.number ?? 1
    let whose =
      timeline.lost.contains(oldest.previous)
      ? "the app no longer has the rows before"
      : bounds.rowCountMax == .max
        ? "the rows before are not here" : "this gateway keeps \(bounds.rowCountMax) rows"
    return Self.action(
      ["type": .string("@@CUT before row \(oldest)"), "payload": .string(whose)], at: startedAt)
  }

  private func tailAction(_ tail: PanelList.Tail) -> [UInt8] {
    let (word, position): (String, Position?) =
      switch tail {
      case .paused(let position): (PanelAction.pausedWord, position)
      case .elsewhere(let position): (PanelAction.elsewhereWord, position)
      }
    var action = JSONObject([.init(key: "type", value: .string(word))])
    switch position {
    case .initial: action["row"] = 0
    case .record(let row): action["row"] = .number(row)
    case .elsewhere, nil: break
    }
    let newest = timeline.rows.last.map { $0.record.wallTime / 1_000_000 }
    return Self.action(.object(action), at: newest ?? startedAt)
  }

  /// Milliseconds since 1970 when history starts. Not 0: panels replay at the pace of these times.
  private var startedAt: Int64 {
    let base: SequenceNumber? = if case .cut(let base) = list.beginning { base } else { nil }
    if let record = base.flatMap({ timeline.row($0)?.record }) {
      return record.wallTime / 1_000_000
    }
    guard let first = timeline.rows.first?.record else {
      return appearedAt - min(appearedAt, Int64(clamping: heartbeat.uptime / 1_000_000))
    }
    let (start, isTooEarly) = first.wallTime.subtractingReportingOverflow(
      Int64(clamping: first.uptime))
    return (isTooEarly ? first.wallTime : start) / 1_000_000
  }

  private static func action(_ action: JSON, at milliseconds: Int64) -> [UInt8] {
    let action: JSON = [
      "type": "PERFORM_ACTION", "action": action, "timestamp": .number(milliseconds),
    ]
    return action.bytes()
  }

  // MARK: States

  private static func computed(_ state: ShownState) -> [UInt8] {
    var object: [UInt8] = Array("{\"state\":".utf8)
    switch state {
    case .json(let content): object += ExactNumber.marked(content.jsonBytes)
    case .missing(nil): object += "null".utf8
    case .missing(let reason?):
      object += "null,\"error\":".utf8
      object += JSON.string(reason).bytes()
    }
    return object + [UInt8(ascii: "}")]
  }

  private static func committed(_ state: ShownState) -> [UInt8] {
    guard case .json(let content) = state else { return Array("null".utf8) }
    return ExactNumber.marked(content.jsonBytes)
  }
}

/// Joins pieces that are JSON already.
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

/// An action's source and causes, in the form that the panel's Trace tab reads: a JavaScript stack.
enum Trace {
  /// The most lines to print. Causes without a source print none, and do not count.
  private static let depthMax = 16

  static func stack(of record: Record, in timeline: Timeline) -> String? {
    var lines: [String] = []
    var next: Record? = record
    while let record = next, lines.count < depthMax {
      if let line = line(of: record) { lines.append(line) }
      // A cause has a lower row than its effect. Anything else could be a cycle.
      next = record.parent < record.sequence ? timeline.row(record.parent)?.record : nil
    }
    return lines.isEmpty ? nil : (["Error"] + lines).joined(separator: "\n")
  }

  /// `    at add (Todo/Main.swift:42:1)`. The column is unknown, but the panel requires one.
  private static func line(of record: Record) -> String? {
    let parts = record.source.split(separator: ":")
    guard parts.count > 1, let line = parts.last, line.allSatisfy(\.isNumber) else { return nil }
    let file = record.source.dropLast(line.utf8.count + 1).map(escaped).joined()
    let name = record.name.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
    return "    at \(name.isEmpty ? "action" : name) (\(file):\(line):1)"
  }

  /// Escapes what the panel's parser takes for a file name's end, or another browser's format.
  private static func escaped(_ character: Character) -> String {
    switch character {
    case " ": "%20"
    case "@": "%40"
    case "(": "%28"
    case ")": "%29"
    case "\n", "\r", "\r\n": ""
    default: String(character)
    }
  }
}
