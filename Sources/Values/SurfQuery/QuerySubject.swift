import JSONTools
import JSONTree
import SurfWire

// Answers to fields and texts, which ask about the row and not about its states.
extension QuerySubject {
  /// Looks at what people see of the row: a revision's payload is for viewers, and has the names of
  /// all actions that the app knows.
  func mentions(_ text: TextSearch) -> Bool {
    if text.finds(in: record.name) || deed.map(text.finds(in:)) == true { return true }
    guard record.kind != .revision, let payload = record.payload else { return false }
    return text.finds(in: payload.bytes)
  }

  func has(_ field: QueryField, _ choices: [QueryChoice], _ secondsFromGMT: Int) -> Bool {
    switch field {
    case .row: Self.holds(record.sequence.rawValue, choices)
    case .kind: Self.isNamed(kind, choices)
    case .level: level.map { Self.holds($0, choices) } ?? false
    case .name: Self.isNamed(record.name, choices) || Self.isNamed(record.leadingWord, choices)
    case .file: isFromFile(choices)
    case .line: line.map { Self.holds($0, choices) } ?? false
    case .cause: record.parent != 0 && Self.holds(record.parent.rawValue, choices)
    case .chain: chains.contains(choices)
    case .from: grownFrom.map { Self.holds($0, choices) } ?? false
    case .by: viewer.map { Self.isPerson($0, choices) } ?? false
    case .app: appNames.contains { Self.isNamed($0, choices) }
    case .at: Self.holds(timeOfDay(secondsFromGMT), choices)
    case .sinceBefore: sinceBefore.map { Self.holds($0, choices) } ?? false
    case .size: stateSize.map { Self.holds($0, choices) } ?? false
    case .grew: growth.map { Self.holds($0, choices) } ?? false
    case .mark: record.kind == .mark && Self.isNamed(record.name, choices)
    }
  }

  private var grownFrom: UInt64? {
    switch record.grownFrom?.origin {
    case .record(let row): row.rawValue
    case .initial: 0
    case .elsewhere, nil: nil
    }
  }

  private static func holds(_ number: some BinaryInteger, _ choices: [QueryChoice]) -> Bool {
    let number = BigDecimal(number)
    return choices.contains { $0.holds(number) }
  }

  private static func isNamed(_ name: some StringProtocol, _ choices: [QueryChoice]) -> Bool {
    choices.contains { $0.holds(name) }
  }

  /// `ada` also matches `ada@desk`.
  private static func isPerson(_ name: String, _ choices: [QueryChoice]) -> Bool {
    isNamed(name, choices) || isNamed(name.prefix { $0 != "@" }, choices)
  }

  private var kind: String {
    switch record.kind {
    case .action: "action"
    case .update: "update"
    case .log: "log"
    case .mark: "mark"
    case .restored: "restored"
    case .revision: "revision"
    case .remove: "remove"
    case .other: "other"
    }
  }

  private var level: UInt8? {
    if case .log(let level) = record.kind { level.rawValue } else { nil }
  }

  /// `Main.swift` and `Todo/Main.swift` both match `Todo/Main.swift:42`.
  private func isFromFile(_ choices: [QueryChoice]) -> Bool {
    guard record.hasPlace else { return false }
    let file = record.source.prefix { $0 != ":" }
    let parts = file.split(separator: "/", omittingEmptySubsequences: false)
    return parts.indices.contains { index in
      Self.isNamed(parts[index...].joined(separator: "/"), choices)
    }
  }

  private var line: Int? {
    record.source.split(separator: ":", maxSplits: 1).dropFirst().first
      .flatMap { Int($0.prefix { $0.isASCII && $0.isNumber }) }
  }

  private var growth: Int? {
    guard let stateSize, let sizeBefore else { return nil }
    return stateSize - sizeBefore
  }

  private func timeOfDay(_ secondsFromGMT: Int) -> Int64 {
    let day: Int64 = 86_400_000_000_000
    let time = record.wallTime % day &+ Int64(secondsFromGMT) % 86_400 &* 1_000_000_000
    return ((time % day) + day) % day
  }
}

/// A row of a history with everything that a query can ask about it. `RowWalk`, `RowProbe`
/// and `LiveFilter` fill it in.
package struct QuerySubject: Sendable {
  package var record: Record
  /// The app's state after the row. Nil if it is missing or not JSON.
  package var state: JSON?
  /// The state that `state` grew from. Nil if it is missing or not JSON.
  package var before: JSON?
  /// Whether `before` is the app's initial state.
  package var growsFromInitial = false
  /// Whether these two differ, if that is known without comparing them.
  package var isChanged: Bool?
  /// How the row follows the one asked about before. Nil if unknown.
  package var step: StateStep?
  /// Octets of the row's own state.
  package var stateSize: Int?
  /// Octets of the state that it grew from.
  package var sizeBefore: Int?
  /// Nanoseconds since the previous row.
  package var sinceBefore: UInt64?
  /// The viewer that caused the row, if one did.
  package var viewer: String?
  /// The effect of a rewrite, such as `skipped row 8`. The debugger shows it instead of the name.
  package var deed: String?
  /// The app's names. `app:` matches any of them.
  package var appNames: [String] = []
  /// The `chain` fields of the query whose chain contains the row.
  package var chains: Set<[QueryChoice]> = []

  package init(_ record: Record, state: JSON? = nil, before: JSON? = nil) {
    self.record = record
    self.state = state
    self.before = before
  }
}

/// A step of a walk through a history, from one row to the next.
package struct StateStep: Sendable {
  /// Counts the rows of one walk. The walk skips a number where it restarts.
  package let number: Int
  /// How the state differs from the state before. Nil if unknown.
  package let changes: [JSONReplacement]?

  package init(_ number: Int, changes: [JSONReplacement]?) {
    self.number = number
    self.changes = changes
  }
}
