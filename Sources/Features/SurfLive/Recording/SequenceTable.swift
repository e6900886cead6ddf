internal import SurfBasics
internal import SurfWire

/// Maps the app's tickets to the sequences on the wire, and back.
///
/// They differ where the writer inserted a record, and where it combined several into one. So the
/// table stores only these places.
struct SequenceTable {
  /// At least this many changes are kept, and at most twice as many. Children of older records lose
  /// their parent, and no viewer can skip such an action. Equal actions that are sent ten times a
  /// second get there in 13 minutes.
  private static let changeCountMax = 16_384

  /// From `ticket` on, records have the sequences from `sequence` on, or all have this one.
  private struct Change {
    var ticket: UInt64
    var sequence: SequenceNumber
    var isShared = false

    func sequence(of ticket: UInt64) -> SequenceNumber {
      isShared
        ? sequence
        : sequence.advanced(by: SequenceNumber(self.ticket).distance(to: SequenceNumber(ticket)))
    }
  }

  /// Never empty, ascending. The last change is not shared.
  private var changes = [Change(ticket: 1, sequence: 1)]

  /// Inserts a record before `ticket`, which is newer than all that were sent.
  mutating func insert(before ticket: UInt64) {
    add(Change(ticket: ticket, sequence: sequence(of: ticket).next))
  }

  /// Gives these records, newer than all that were sent, one sequence.
  mutating func share(_ tickets: ClosedRange<UInt64>) {
    guard tickets.lowerBound < tickets.upperBound else { return }
    let sequence = sequence(of: tickets.lowerBound)
    add(Change(ticket: tickets.lowerBound, sequence: sequence, isShared: true))
    add(Change(ticket: tickets.upperBound + 1, sequence: sequence.next))
  }

  private mutating func add(_ change: Change) {
    // Remove many at a time, because each time the rest is moved.
    if changes.count == 2 * Self.changeCountMax { changes.removeFirst(Self.changeCountMax) }
    changes.append(change)
  }

  /// The last ticket of a sequence; nil for an inserted record, and for one that is too old.
  func ticket(of sequence: SequenceNumber) -> UInt64? {
    guard let index = changes.lastIndex(where: { $0.sequence <= sequence }) else { return nil }
    let change = changes[index]
    let next = index + 1 < changes.count ? changes[index + 1].ticket : .max
    if change.isShared { return sequence == change.sequence ? next - 1 : nil }
    let distance = change.sequence.distance(to: sequence)
    let ticket = SequenceNumber(change.ticket).advanced(by: distance).rawValue
    // The inserted record lies between two changes.
    return ticket < next ? ticket : nil
  }

  /// The sequence of a record that was sent; 0, "not known", for one that is too old.
  func sequence(of ticket: UInt64) -> SequenceNumber {
    let index = changes.partitionPoint { $0.ticket > ticket }
    return index == 0 ? 0 : changes[index - 1].sequence(of: ticket)
  }
}
