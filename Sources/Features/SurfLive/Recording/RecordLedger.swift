internal import FoundationEssentials
internal import JSONTree
internal import Redaction
internal import SurfThreads
internal import SurfWire
internal import Synchronization
internal import ValueCoding

/// What other threads need to know about the records that the encoding thread writes: which action
/// has which row, and where the app is.
///
/// It is separate from `RecordWriter`, so that nobody waits for the encoding of a value. That is
/// the app's code. It may itself wait for the store in whose turn the ledger is read, or never
/// return.
final class RecordLedger: Sendable {
  private struct Contents {
    var sequences = SequenceTable()
    var liveState = LiveState.unknown
    /// The ticket of the newest record that `liveState` is newer than; 0 for none.
    var liveTicket: UInt64 = 0
    /// The state that the app starts in, if it has said so. A `Controller` has its own.
    var initial: (any Encodable & Sendable)?
  }

  private let contents = Monitor(Contents())
  /// Whether `liveState` is known, readable without the lock.
  private let knowsLive = Atomic(false)
  /// Only the encoding thread changes it.
  private let newest = Atomic<UInt64>(0)

  // MARK: The encoding thread

  /// Starts the record that stands for these tickets.
  func nextSequence(of tickets: ClosedRange<UInt64>) -> SequenceNumber {
    if tickets.lowerBound < tickets.upperBound { contents.withLock { $0.sequences.share(tickets) } }
    return next()
  }

  /// Starts a record that no call of the app made, before the one with this ticket.
  func nextSequence(before ticket: UInt64) -> SequenceNumber {
    insert(before: ticket)
    return next()
  }

  /// Reserves a sequence for a record that no call of the app made.
  func insert(before ticket: UInt64) { contents.withLock { $0.sequences.insert(before: ticket) } }

  private func next() -> SequenceNumber {
    newest.store(lastSequence.next.rawValue, ordering: .releasing)
    return lastSequence
  }

  /// Notes that the app recorded this state, unless a viewer has moved the app since.
  func keepLive(_ state: LiveState, of ticket: UInt64) {
    guard state.isKnown || knowsLive.load(ordering: .relaxed) else { return }
    replaceLive { $0.liveTicket < ticket ? (state, $0.liveTicket) : nil }
  }

  // MARK: Any thread

  /// The sequence of the newest record; 0 before the first.
  var lastSequence: SequenceNumber { SequenceNumber(newest.load(ordering: .acquiring)) }

  var sequences: SequenceTable { contents.withLock { $0.sequences } }

  var initial: (any Encodable & Sendable)? {
    get { contents.withLock { $0.initial } }
    set {
      // Release the former state after unlocking: that may run the app's code.
      _ = contents.withLock { contents in
        let former = contents.initial
        contents.initial = newValue
        // Before its first record, the app is there. Its first record changes that.
        if let newValue, contents.liveTicket == 0, lastSequence == 0 {
          contents.liveState = .leftOut(.value(newValue))
          knowsLive.store(true, ordering: .relaxed)
        }
        return former
      }
    }
  }

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
      knowsLive.store(state.isKnown, ordering: .relaxed)
      return former
    }
  }
}

/// The state that an app with an `onReset` handler is in, as far as is known. Its values replace
/// the marks in a state that a viewer sends.
///
/// Most apps have only the first case, which `indirect` keeps small.
indirect enum LiveState: Sendable {
  case unknown
  /// The app recorded this state, which was sent as these octets.
  case recorded(Piece, told: [UInt8])
  /// The app recorded this state, which was not sent, or began in it.
  case leftOut(Piece)
  /// A viewer put the app into this state, which had marks.
  case restored(AppValue)
  /// A viewer put the app into this state, which had no marks.
  case brought(Data)

  var isKnown: Bool { if case .unknown = self { false } else { true } }

  /// The state with its values, and with marks as viewers see it.
  func value(_ coder: ValueCoder) -> AppValue? {
    switch self {
    case .unknown: nil
    case .recorded(let piece, let told):
      piece.json(coder.clear).map { AppValue(clear: $0, told: JSON(ifValid: told)) }
    case .leftOut(let piece):
      piece.json(coder.clear).flatMap { clear in
        piece.json(coder).map { AppValue(clear: clear, told: $0) }
      }
    case .restored(let value): value
    case .brought(let data): JSON(ifValid: Array(data)).map { AppValue(clear: $0, told: $0) }
    }
  }
}

extension Piece {
  /// A state as this coder encodes it; nil for a piece that is not a state.
  fileprivate func json(_ coder: ValueCoder) -> JSON? {
    switch self {
    case .value(let state):
      do {
        return try coder.json(state)
      } catch {
        // `RecordWriter` reports the error when it encodes the state.
        return nil
      }
    case .bytes(let bytes, _): return coder.json(of: bytes)
    case .data(let data, _): return coder.json(of: Array(data))
    case .none, .givenUp, .action, .reflection, .report: return nil
    }
  }
}

extension ValueCoder {
  /// Nil if the octets are not JSON.
  fileprivate func json(of octets: [UInt8]) -> JSON? {
    do {
      return JSON(ifValid: try redact(foreign: octets))
    } catch {
      return nil
    }
  }
}
