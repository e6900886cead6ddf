internal import SurfWire

/// Consecutive records that `RecordQueue` gave up, and the mark that replaces them.
///
/// A class, because few apps give up any, and Swift would write code to copy all of it wherever a
/// queue is stored.
final class MissingRecords {
  /// How many of each kind.
  struct Counts: Sendable {
    private static let nouns = [
      "action", "update", "log line", "mark", "restored state", "revision",
    ]
    /// One for each of these nouns.
    private var counts = nouns.map { _ in 0 }

    var total: Int { counts.reduce(0, +) }

    mutating func add(_ kind: Record.Kind) {
      switch kind {
      case .action: counts[0] += 1
      case .update, .remove: counts[1] += 1
      case .log: counts[2] += 1
      case .mark: counts[3] += 1
      case .restored: counts[4] += 1
      case .revision, .other: counts[5] += 1
      }
    }

    mutating func add(_ more: Counts) {
      for (index, count) in more.counts.enumerated() { counts[index] += count }
    }

    /// `3 actions`, or `5 records (3 actions, 2 log lines)`.
    var text: String {
      let parts = zip(counts, Self.nouns).filter { $0.0 > 0 }.map { count, noun in
        "\(count) \(noun)\(count == 1 ? "" : "s")"
      }
      guard parts.count != 1 else { return parts[0] }
      return "\(total) records (\(parts.joined(separator: ", ")))"
    }
  }

  private(set) var counts = Counts()
  private var latest = Moment()
  /// The newest state among them.
  private var state = Piece.none
  private var values = MissingValues()

  /// - Parameter told: The values that viewers may know.
  func add(_ entry: consuming Entry, at moment: Moment, told: borrowing KnownNames) {
    counts.add(entry.kind)
    latest = moment
    if entry.facts.state.isHeld { state = entry.state }
    entry.moment = moment
    values.add(entry, told: told)
  }

  /// - Parameter mark: A waiting mark. Its `counts` are now missing together with these.
  func add(_ mark: consuming Entry, for counts: Counts) {
    self.counts.add(counts)
    latest = mark.moment
    if mark.facts.state.isHeld { state = mark.state }
  }

  /// The records to send after the mark.
  var newestValues: [Entry] { values.newest }

  /// A mark that says how many records of which kinds are missing, with the newest state of them.
  func mark() -> Entry {
    var mark = Entry(.mark, "\(counts.text) given up", source: .none, state: state)
    mark.moment = latest
    return mark
  }
}
