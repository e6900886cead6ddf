internal import Redaction
internal import SurfThreads
internal import SurfWire

/// What other threads ask about the records that the encoding thread writes: which row is whose,
/// and where the app is.
///
/// Apart from the writer, as nobody may wait for the encoding of a value: that is code of the
/// app's, which may wait itself for the store in whose turn somebody asks here, and may never
/// return.
final class RecordLedger: Sendable {
  private struct Contents {
    var lastSequence: SequenceNumber = 0
    var sequences = SequenceTable()
    var liveState = LiveState.unknown
    /// The ticket of the newest record before that; 0 for any.
    var liveTicket: UInt64 = 0
  }

  private let contents = Monitor(Contents())

  // MARK: The encoding thread

  /// Begins the next record, which tells these.
  func nextSequence(of tickets: ClosedRange<UInt64>) -> SequenceNumber {
    contents.withLock { contents in
      contents.sequences.share(tickets)
      return Self.next(&contents)
    }
  }

  /// The same, of a record that no call of the app made, before that of this ticket.
  func nextSequence(before ticket: UInt64) -> SequenceNumber {
    contents.withLock { contents in
      contents.sequences.insert(before: ticket)
      return Self.next(&contents)
    }
  }

  /// Puts in a record that is begun later.
  func insert(before ticket: UInt64) { contents.withLock { $0.sequences.insert(before: ticket) } }

  private static func next(_ contents: inout Contents) -> SequenceNumber {
    contents.lastSequence = contents.lastSequence.next
    return contents.lastSequence
  }

  /// The app is in the state of the record with this ticket, unless a viewer has moved it since.
  func keepLive(_ state: LiveState, of ticket: UInt64) {
    replaceLive { $0.liveTicket < ticket ? (state, $0.liveTicket) : nil }
  }

  // MARK: Any thread

  /// Of the newest record; 0 before the first.
  var lastSequence: SequenceNumber { contents.withLock { $0.lastSequence } }

  var sequences: SequenceTable { contents.withLock { $0.sequences } }

  /// Where the app is, if what was sent of it has marks.
  var liveState: LiveState { contents.withLock { $0.liveState } }

  /// A viewer has put the app into this state. Records of states before that may still wait.
  func keepLive(_ state: LiveState, after ticket: UInt64) {
    replaceLive { contents in
      // While nothing is redacted there is nothing to keep.
      if case (.unknown, .brought) = (contents.liveState, state) { return nil }
      return (state, ticket)
    }
  }

  private func replaceLive(_ choose: (Contents) -> (LiveState, UInt64)?) {
    // A state of the app's that goes may run code of the app's: after unlocking.
    _ = contents.withLock { contents -> LiveState? in
      guard let (state, ticket) = choose(contents) else { return nil }
      let former = contents.liveState
      (contents.liveState, contents.liveTicket) = (state, ticket)
      return former
    }
  }
}
