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

  var count: Int { actionCount + updateCount + lineCount + markCount + otherCount }

  mutating func add(_ entry: consuming Entry, at moment: Moment) {
    switch entry.kind {
    case .action: actionCount += 1
    case .update: updateCount += 1
    case .log: lineCount += 1
    case .mark: markCount += 1
    case .revision, .other: otherCount += 1
    }
    latest = moment
    if entry.state.isHeld { state = entry.state }
  }

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
