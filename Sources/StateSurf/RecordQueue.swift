package import SurfWire

/// What waits to be encoded, and what is given up when too much does.
///
/// States go before records, because a row without its state still says what happened. Records
/// that found no room are counted, and a mark tells the count as soon as there is room for it.
package struct RecordQueue: Sendable {
  /// How much may wait.
  package struct Bounds: Sendable {
    /// A burst of a tenth of a second from a program that does nothing else but record.
    package var recordCountMax = 65_536
    package var stateCountMax = 1_024
    /// Octets, of states that were handed over as bytes; of others the size is not known yet.
    package var stateSizeMax = 2 * Limits.contentSizeMax

    /// The same for those who would rather wait: a short queue is emptied as fast as a long one,
    /// and the memory of what has left is there for what comes. One state may always wait.
    package var awaitedRecordCountMax = 4_096
    package var awaitedStateSizeMax = 8 * 1_024 * 1_024

    /// The bounds that the documentation names.
    package init() {}
  }

  /// What the encoding thread does next.
  package enum Item: Sendable {
    /// Encode and send it.
    case record(RecordID, Entry)
    /// Answer a reset, now that the records before the answer are sent.
    case answer(ResetRequest, Outcome.Result)
  }

  /// Resets answered but not yet told: more than this only if somebody floods.
  static let answerCountMax = 1_024

  /// What became of everything that was offered.
  package private(set) var counters = Transceiver.Counters()
  private let bounds: Bounds
  private var items = FIFO<Item>()
  private var recordCount = 0
  private var stateCount = 0
  private var stateSize = 0
  private var answerCount = 0
  private var lastTicket: UInt64 = 0
  private var unannounced = Unannounced()

  /// Records given up since the last mark.
  private struct Unannounced {
    var count = 0
    var latest = Moment()
  }

  /// An empty queue.
  package init(bounds: Bounds = Bounds()) { self.bounds = bounds }

  package var isEmpty: Bool { items.count == 0 }

  /// Whether one that can wait may add `entry`, of which `add` would then keep all.
  package func hasRoom(for entry: Entry) -> Bool {
    guard recordCount < min(bounds.awaitedRecordCountMax, bounds.recordCountMax) else {
      return false
    }
    guard entry.state.isHeld else { return true }
    let isShort = stateCount == 0 || stateSize + entry.state.size <= bounds.awaitedStateSizeMax
    return isShort && hasRoom(forState: entry.state)
  }

  /// Takes in what there is room for; `nil` if the whole record was given up.
  package mutating func add(_ entry: consuming Entry, at moment: Moment) -> RecordID? {
    guard recordCount < bounds.recordCountMax else {
      counters.recordGivenUpCount += 1
      unannounced.count += 1
      unannounced.latest = moment
      return nil
    }
    entry.moment = moment
    if entry.state.isHeld, !hasRoom(forState: entry.state) {
      counters.stateGivenUpCount += 1
      entry.state = .givenUp
    }
    return append(entry)
  }

  /// Puts an answer behind the records that wait; false if a flood of them has filled its room.
  package mutating func add(answer result: Outcome.Result, to request: ResetRequest) -> Bool {
    guard answerCount < Self.answerCountMax else { return false }
    answerCount += 1
    items.append(.answer(request, result))
    return true
  }

  /// The oldest item; what it leaves behind is room for the mark that is due, if one is.
  package mutating func take() -> Item? {
    guard let item = items.popFirst() else { return nil }
    switch item {
    case .answer:
      answerCount -= 1
    case .record(_, let entry):
      recordCount -= 1
      if entry.state.isHeld {
        stateCount -= 1
        stateSize -= entry.state.size
      }
      announceGivenUp()
    }
    return item
  }

  /// Counts a value that could not be encoded.
  mutating func countFailure() { counters.failureCount += 1 }

  private func hasRoom(forState state: Piece) -> Bool {
    stateCount < bounds.stateCountMax && stateSize + state.size <= bounds.stateSizeMax
  }

  private mutating func append(_ entry: consuming Entry) -> RecordID {
    recordCount += 1
    if entry.state.isHeld {
      stateCount += 1
      stateSize += entry.state.size
    }
    lastTicket += 1
    counters.recordCount += 1
    let id = RecordID(ticket: lastTicket)
    items.append(.record(id, entry))
    return id
  }

  private mutating func announceGivenUp() {
    guard unannounced.count > 0, recordCount < bounds.recordCountMax else { return }
    let noun = unannounced.count == 1 ? "record" : "records"
    var mark = Entry(kind: .mark, subject: "\(unannounced.count) \(noun) given up", source: .none)
    mark.moment = unannounced.latest
    unannounced = Unannounced()
    _ = append(mark)
  }
}
