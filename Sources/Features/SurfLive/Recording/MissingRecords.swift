internal import SurfWire

/// Records given up in a row; one mark stands for all of them.
struct MissingRecords: Sendable {
  /// How many of which kind.
  struct Counts: Sendable {
    private var actions = 0
    private var updates = 0
    private var lines = 0
    private var marks = 0
    private var others = 0

    var total: Int { actions + updates + lines + marks + others }

    mutating func add(_ kind: Record.Kind) {
      switch kind {
      case .action: actions += 1
      case .update, .remove: updates += 1
      case .log: lines += 1
      case .mark: marks += 1
      case .revision, .other: others += 1
      }
    }

    mutating func add(_ more: Counts) {
      actions += more.actions
      updates += more.updates
      lines += more.lines
      marks += more.marks
      others += more.others
    }

    /// `3 actions`, or `5 records (3 actions, 2 log lines)`.
    var text: String {
      let parts = [
        Self.text(actions, "action"), Self.text(updates, "update"), Self.text(lines, "log line"),
        Self.text(marks, "mark"), Self.text(others, "revision"),
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
  /// Values that were given up, for their order.
  private var valueCount = 0
  private var latest = Moment()
  /// The newest state among them.
  private var state = Piece.none
  /// The newest word on each of some values, and its place among them: what is told last under a
  /// name holds until more is told, which may be never.
  private var values: [String: (place: Int, entry: Entry)] = [:]

  private static let valueCountMax = 1_024

  var count: Int { counts.total }

  mutating func add(_ entry: consuming Entry, at moment: Moment) {
    counts.add(entry.kind)
    take(entry, at: moment)
  }

  /// - Parameter mark: stands for so many others, which are missing once more.
  mutating func add(_ mark: consuming Entry, for counts: Counts) {
    self.counts.add(counts)
    take(mark, at: mark.moment)
  }

  private mutating func take(_ entry: consuming Entry, at moment: Moment) {
    latest = moment
    if entry.state.isHeld { state = entry.state }
    entry.moment = moment
    keep(entry)
  }

  private mutating func keep(_ entry: consuming Entry) {
    guard entry.kind == .update || entry.kind == .remove, let name = entry.subject as? String,
      values.count < Self.valueCountMax || values[name] != nil
    else { return }
    valueCount += 1
    values[name] = (valueCount, entry)
  }

  /// What is to follow the mark.
  var newestValues: [Entry] { values.values.sorted { $0.place < $1.place }.map(\.entry) }

  /// Says how many records of which kinds are missing; its state shows viewers where the app is.
  consuming func mark() -> Entry {
    var mark = Entry(.mark, "\(counts.text) given up", source: .none)
    mark.moment = latest
    mark.state = state
    return mark
  }
}
