internal import SurfWire

/// Consecutive records that `RecordQueue` gave up, and the mark that replaces them.
struct MissingRecords: Sendable {
  /// How many of each kind.
  struct Counts: Sendable {
    private var actions = 0
    private var updates = 0
    private var lines = 0
    private var marks = 0
    private var restored = 0
    private var others = 0

    var total: Int { actions + updates + lines + marks + restored + others }

    mutating func add(_ kind: Record.Kind) {
      switch kind {
      case .action: actions += 1
      case .update, .remove: updates += 1
      case .log: lines += 1
      case .mark: marks += 1
      case .restored: restored += 1
      case .revision, .other: others += 1
      }
    }

    mutating func add(_ more: Counts) {
      actions += more.actions
      updates += more.updates
      lines += more.lines
      marks += more.marks
      restored += more.restored
      others += more.others
    }

    /// `3 actions`, or `5 records (3 actions, 2 log lines)`.
    var text: String {
      let parts = [
        Self.text(actions, "action"), Self.text(updates, "update"), Self.text(lines, "log line"),
        Self.text(marks, "mark"), Self.text(restored, "restored state"),
        Self.text(others, "revision"),
      ].compactMap(\.self)
      guard parts.count != 1 else { return parts[0] }
      return "\(total) records (\(parts.joined(separator: ", ")))"
    }

    private static func text(_ count: Int, _ noun: String) -> String? {
      switch count {
      case 0: nil
      case 1: "1 \(noun)"
      default: "\(count) \(noun)s"
      }
    }
  }

  private(set) var counts = Counts()
  private var latest = Moment()
  /// The newest state among them.
  private var state = Piece.none
  private var values = MissingValues()

  var count: Int { counts.total }

  /// - Parameter told: The values that viewers may know.
  mutating func add(_ entry: consuming Entry, at moment: Moment, told: borrowing KnownNames) {
    counts.add(entry.kind)
    latest = moment
    if entry.state.isHeld { state = entry.state }
    entry.moment = moment
    values.add(entry, told: told)
  }

  /// - Parameter mark: A waiting mark. Its `counts` are now missing together with these.
  mutating func add(_ mark: consuming Entry, for counts: Counts) {
    self.counts.add(counts)
    latest = mark.moment
    if mark.state.isHeld { state = mark.state }
  }

  /// The records to send after the mark.
  var newestValues: [Entry] { values.newest }

  /// A mark that says how many records of which kinds are missing, with the newest state of them.
  consuming func mark() -> Entry {
    var mark = Entry(.mark, "\(counts.text) given up", source: .none)
    mark.moment = latest
    mark.state = state
    return mark
  }
}
