internal import SurfWire

/// Records given up in a row; one mark stands for all of them.
struct MissingRecords: Sendable {
  private var actionCount = 0
  private var updateCount = 0
  private var lineCount = 0
  private var markCount = 0
  private var otherCount = 0
  private var latest = Moment()
  /// The newest state among them.
  private var state = Piece.none
  /// The newest word on each of some values, and its place among them: what is told last under a
  /// name holds until more is told, which may be never.
  private var values: [String: (place: Int, entry: Entry)] = [:]

  private static let valueCountMax = 1_024

  var count: Int { actionCount + updateCount + lineCount + markCount + otherCount }

  mutating func add(_ entry: consuming Entry, at moment: Moment) {
    switch entry.kind {
    case .action: actionCount += 1
    case .update, .remove: updateCount += 1
    case .log: lineCount += 1
    case .mark: markCount += 1
    case .revision, .other: otherCount += 1
    }
    latest = moment
    if entry.state.isHeld { state = entry.state }
    entry.moment = moment
    keep(entry)
  }

  private mutating func keep(_ entry: consuming Entry) {
    guard entry.kind == .update || entry.kind == .remove, let name = entry.subject as? String,
      values.count < Self.valueCountMax || values[name] != nil
    else { return }
    values[name] = (updateCount, entry)
  }

  /// What is to follow the mark.
  var newestValues: [Entry] { values.values.sorted { $0.place < $1.place }.map(\.entry) }

  /// Says how many records of which kinds are missing; its state shows viewers where the app is.
  consuming func mark() -> Entry {
    var mark = Entry(.mark, "\(text) given up", source: .none)
    mark.moment = latest
    mark.state = state
    return mark
  }

  /// `3 actions`, or `5 records (3 actions, 2 log lines)`.
  private var text: String {
    let parts = [
      Self.text(actionCount, "action"), Self.text(updateCount, "update"),
      Self.text(lineCount, "log line"), Self.text(markCount, "mark"),
      Self.text(otherCount, "revision"),
    ].compactMap(\.self)
    guard parts.count != 1 else { return parts[0] }
    return "\(count) records (\(parts.joined(separator: ", ")))"
  }

  private static func text(_ count: Int, _ noun: String) -> String? {
    switch count {
    case 0: nil
    case 1: "1 \(noun)"
    default: "\(count) \(noun)s"
    }
  }
}
