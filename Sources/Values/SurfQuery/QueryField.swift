/// A fact about a row itself, as a person writes it: `kind:action`, `size:10k..`.
package enum QueryField: String, CaseIterable, Sendable {
  /// The row's sequence number.
  case row
  case kind, name, level
  /// The source file of the call, matched by its last path components, and the line.
  case file, line
  /// The row that caused it.
  case cause
  /// The row, and every row that led to it.
  case chain
  /// The row that it grew from, as rows name it: one that is not the row before; 0 is the initial
  /// state.
  case from
  /// The viewer that caused the row.
  case by
  case app
  /// The time of day.
  case at
  /// The time since the previous row.
  case sinceBefore = "dt"
  /// The state's size in octets, and its growth since the state before.
  case size, grew
  /// The name of a mark.
  case mark

  /// The notation of this field's choices.
  package var unit: QueryUnit {
    switch self {
    case .row, .line, .cause, .chain, .from: .count
    case .size, .grew: .bytes
    case .at: .clock
    case .sinceBefore: .time
    case .level: .level
    case .kind: .kind
    case .name, .file, .by, .app, .mark: .word
    }
  }
}

/// The notation of a choice.
package enum QueryUnit: Sendable {
  case count, bytes, clock, time, level, kind, word
  /// For values in states: a word, a number, or a range whose ends may have `k` or `M`.
  case value

  static let kinds = ["action", "update", "log", "mark", "revision", "remove", "restored", "other"]
  static let levels = ["trace", "debug", "info", "warning", "error"]

  /// What the parser expected, for error messages.
  package var expected: String {
    switch self {
    case .count: "a number such as 12, or a range such as 5..9"
    case .bytes: "a size such as 512, 10k or 1M.."
    case .clock: "a time of day such as 14:03, or a range"
    case .time: "a time such as 250ms, 2s.. or ..1m"
    case .level: "a level: \(Self.levels.joined(separator: ", "))"
    case .kind: "a kind: \(Self.kinds.joined(separator: ", "))"
    case .word: "a word"
    case .value: "a value, or a range such as 5..9"
    }
  }
}
