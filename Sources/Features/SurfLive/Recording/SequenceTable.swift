internal import SurfWire

/// Tells the sequence on the wire from the ticket that the app holds.
///
/// The two differ by the number of error records that were put in between, so it is enough to
/// remember where that number changed.
struct SequenceTable {
  /// A change older than this many changes is forgotten. Only children of very old records lose
  /// their parent, in a program that keeps recording what cannot be encoded.
  private static let changeCountMax = 1_024

  /// From `ticket` on, `sequence - ticket` is `shift`. Never empty, ascending.
  private var changes: [(ticket: UInt64, shift: WireCount)] = [(1, 0)]

  /// One more record was put in before `ticket`.
  mutating func insert(before ticket: UInt64) {
    let shift = (changes.last?.shift ?? 0).adding(1)
    if changes.count == Self.changeCountMax { changes.removeFirst() }
    changes.append((ticket, shift))
  }

  /// The ticket of a sequence; nil for an error record, and for what is forgotten.
  func ticket(of sequence: SequenceNumber) -> UInt64? {
    guard let index = changes.lastIndex(where: { Self.sequence($0) <= sequence }) else {
      return nil
    }
    let ticket = sequence.goingBack(by: changes[index].shift).rawValue
    // Between two changes lies the record that was put in.
    let next = index + 1 < changes.count ? changes[index + 1].ticket : .max
    return ticket < next ? ticket : nil
  }

  /// The sequence of a record that was sent; 0, "not known", for one that is forgotten.
  func sequence(of ticket: UInt64) -> SequenceNumber {
    var low = 0
    var high = changes.count
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].ticket <= ticket { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? 0 : Self.sequence((ticket, changes[low - 1].shift))
  }

  private static func sequence(_ change: (ticket: UInt64, shift: WireCount)) -> SequenceNumber {
    SequenceNumber(change.ticket).advanced(by: change.shift)
  }
}
