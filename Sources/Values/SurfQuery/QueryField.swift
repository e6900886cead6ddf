/// A fact about a row itself, as a person writes it: `kind:action`, `size:10k..`.
package enum QueryField: String, CaseIterable, Sendable {
  /// The row's number.
  case row
  case kind, name, level
  /// The file of the call, from any folder on; and the line in it.
  case file, line
  /// The row that caused it.
  case cause
  /// The row itself, and all that led to it.
  case chain
  /// The viewer that brought it about.
  case by
  case app
  /// The time of day.
  case at
  /// The time since the row before.
  case sinceBefore = "dt"
  /// Octets of the state, and how many more than of the state before.
  case size, grew
  /// The name of a mark.
  case mark

  /// How its choices are written.
  package var unit: QueryUnit {
    switch self {
    case .row, .line, .cause, .chain: .count
    case .size, .grew: .bytes
    case .at: .clock
    case .sinceBefore: .time
    case .level: .level
    case .kind: .kind
    case .name, .file, .by, .app, .mark: .word
    }
  }
}

/// How a choice is written.
package enum QueryUnit: Sendable {
  case count, bytes, clock, time, level, kind, word
  /// Of any value in a state: a number, with `k` or `M` in a range, or a word.
  case value

  static let kinds = ["action", "update", "log", "mark", "revision", "remove", "restored", "other"]
  static let levels = ["trace", "debug", "info", "warning", "error"]

  /// What must stand there, for people.
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
