extension SessionReader {
  /// What became of a packet: new, already known, or refused because the store is full.
  enum Arrival { case taken, duplicate, beyond }

  struct Tally {
    private(set) var taken = 0
    private(set) var duplicates = 0
    private(set) var beyond = 0

    mutating func count(_ arrival: Arrival) {
      switch arrival {
      case .taken: taken += 1
      case .duplicate: duplicates += 1
      case .beyond: beyond += 1
      }
    }
  }
}
