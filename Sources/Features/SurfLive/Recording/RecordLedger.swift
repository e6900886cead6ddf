internal import Redaction
internal import SurfThreads
internal import SurfWire

/// What other threads need to know about the records that the encoding thread writes: which action
/// has which row, and where the app is.
///
/// It is separate from `RecordWriter`, so that nobody waits for the encoding of a value. That is
/// the app's code. It may itself wait for the store in whose turn the ledger is read, or never
/// return.
final class RecordLedger: Sendable {
  private struct Contents {
    var lastSequence: SequenceNumber = 0
    var sequences = SequenceTable()
    var liveState = LiveState.unknown
    /// The ticket of the newest record that `liveState` is newer than; 0 for none.
    var liveTicket: UInt64 = 0
  }

  private let contents = Monitor(Contents())

  // MARK: The encoding thread

  /// Starts the record that stands for these tickets.
  func nextSequence(of tickets: ClosedRange<UInt64>) -> SequenceNumber {
    contents.withLock { contents in
      contents.sequences.share(tickets)
      return Self.next(&contents)
    }
  }

  /// Starts a record that no call of the app made, before the one with this ticket.
  func nextSequence(before ticket: UInt64) -> SequenceNumber {
    contents.withLock { contents in
      contents.sequences.insert(before: ticket)
      return Self.next(&contents)
    }
  }

  /// Reserves a sequence for a record that no call of the app made.
  func insert(before ticket: UInt64) { contents.withLock { $0.sequences.insert(before: ticket) } }

  private static func next(_ contents: inout Contents) -> SequenceNumber {
    contents.lastSequence = contents.lastSequence.next
    return contents.lastSequence
  }

  /// Notes that the app recorded this state, unless a viewer has moved the app since.
  func keepLive(_ state: LiveState, of ticket: UInt64) {
    replaceLive { $0.liveTicket < ticket ? (state, $0.liveTicket) : nil }
  }

  // MARK: Any thread

  /// The sequence of the newest record; 0 before the first.
  var lastSequence: SequenceNumber { contents.withLock { $0.lastSequence } }

  var sequences: SequenceTable { contents.withLock { $0.sequences } }

  /// The app's current state, if redacted values were removed from what was sent of it.
  var liveState: LiveState { contents.withLock { $0.liveState } }

  /// Notes that a viewer put the app into this state. Earlier records may still be queued.
  func keepLive(_ state: LiveState, after ticket: UInt64) {
    replaceLive { contents in
      // If nothing is redacted, nothing needs to be filled in.
      if case (.unknown, .brought) = (contents.liveState, state) { return nil }
      return (state, ticket)
    }
  }

  private func replaceLive(_ choose: (Contents) -> (LiveState, UInt64)?) {
    // Release the former state after unlocking: that may run the app's code.
    _ = contents.withLock { contents -> LiveState? in
      guard let (state, ticket) = choose(contents) else { return nil }
      let former = contents.liveState
      (contents.liveState, contents.liveTicket) = (state, ticket)
      return former
    }
  }
}
