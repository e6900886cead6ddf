internal import SurfBasics
internal import SurfWire

/// Tells the sequence on the wire from the ticket that the app holds.
///
/// The two differ by the records that were put in between, and by those that were told as one, so
/// it is enough to remember where that changed.
struct SequenceTable {
  /// A change older than this many changes, or twice as many, is forgotten: children of older
  /// records lose their parent, and no viewer can leave out such an action. Equal actions that
  /// leave ten times a second come this far in 13 minutes.
  private static let changeCountMax = 16_384

  /// From `ticket` on, records have the sequences from `sequence` on, or all of them this one.
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

  /// Never empty, ascending. The last one is not shared.
  private var changes = [Change(ticket: 1, sequence: 1)]

  /// One more record was put in before `ticket`, which is newer than all that were sent.
  mutating func insert(before ticket: UInt64) {
    add(Change(ticket: ticket, sequence: sequence(of: ticket).next))
  }

  /// These records, newer than all that were sent, are told as one.
  mutating func share(_ tickets: ClosedRange<UInt64>) {
    guard tickets.lowerBound < tickets.upperBound else { return }
    let sequence = sequence(of: tickets.lowerBound)
    add(Change(ticket: tickets.lowerBound, sequence: sequence, isShared: true))
    add(Change(ticket: tickets.upperBound + 1, sequence: sequence.next))
  }

  private mutating func add(_ change: Change) {
    // Many at a time: each time, those that stay are moved.
    if changes.count == 2 * Self.changeCountMax { changes.removeFirst(Self.changeCountMax) }
    changes.append(change)
  }

  /// The ticket of a sequence, the last one of several; nil for a record that was put in, and for
  /// what is forgotten.
  func ticket(of sequence: SequenceNumber) -> UInt64? {
    guard let index = changes.lastIndex(where: { $0.sequence <= sequence }) else { return nil }
    let change = changes[index]
    let next = index + 1 < changes.count ? changes[index + 1].ticket : .max
    if change.isShared { return sequence == change.sequence ? next - 1 : nil }
    let distance = change.sequence.distance(to: sequence)
    let ticket = SequenceNumber(change.ticket).advanced(by: distance).rawValue
    // Between two changes lies the record that was put in.
    return ticket < next ? ticket : nil
  }

  /// The sequence of a record that was sent; 0, "not known", for one that is forgotten.
  func sequence(of ticket: UInt64) -> SequenceNumber {
    let index = changes.partitionPoint { $0.ticket > ticket }
    return index == 0 ? 0 : changes[index - 1].sequence(of: ticket)
  }
}
