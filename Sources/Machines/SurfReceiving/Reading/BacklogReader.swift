import SurfWire

/// Reads the records from before the viewer joined, in order (Protocol.md §10.7).
struct BacklogReader: Sendable {
  private enum Phase {
    /// It is not yet known where it begins.
    case unlocated
    case open
    case done
  }

  /// How a record that came follows on those before it.
  struct Place {
    /// The records before it that did not come; they will not.
    var missed: Range<SequenceNumber>
    /// False if it was passed before, and comes again for its state.
    var isNext: Bool
    /// Whether its state can be made.
    var isMade: Bool
  }

  /// The first record wanted; `.max` for none of the past.
  private(set) var since: SequenceNumber
  /// The newest record when the viewer joined: it comes live.
  let boundary: SequenceNumber
  /// The packet in which that begins.
  let boundaryPacket: SequenceNumber
  /// Nil before the beginning is located, and after the end.
  var window: Window?
  private var phase: Phase
  private var next: SequenceNumber
  private var states = MadeStates()
  /// Items that the window has just put in order; empty between calls.
  private var items: [Assembler.Item] = []

  init(_ past: HistoryRequest, _ progress: StreamProgress) {
    since = past.first(newest: progress.newestRecord)
    boundary = max(progress.newestRecord, 1)
    let hasRecords = progress.newestRecordPacket > 0
    boundaryPacket = hasRecords ? progress.newestRecordPacket : progress.newestPacket.next
    next = since
    phase = since < boundary ? .unlocated : .done
  }

  var isUnlocated: Bool { phase == .unlocated }
  var isDone: Bool { phase == .done }

  /// Whether the record was delivered, or is lost.
  func hasPassed(_ record: SequenceNumber) -> Bool { record >= since && record < next }

  /// Wants more than before, from the beginning.
  mutating func widen(to past: HistoryRequest) {
    since = min(since, past.first(newest: boundary))
    window = nil
    phase = since < boundary ? .unlocated : .done
    next = since
  }

  /// The window that begins where the app says that the record does; nil if that cannot be.
  func window(from record: SequenceNumber, in packet: SequenceNumber) -> Window? {
    guard record > 0, record < boundary, packet > 0, packet <= boundaryPacket else { return nil }
    return Window(from: packet, to: boundaryPacket.next)
  }

  /// Reads from that record on.
  ///
  /// - Returns: the records before it that were wanted.
  mutating func open(_ window: Window, from record: SequenceNumber) -> Range<SequenceNumber> {
    self.window = window
    phase = .open
    defer { next = max(next, record) }
    return next..<max(next, record)
  }

  /// The records that are in order now. The caller must place each.
  mutating func read(_ packets: inout PacketStore) -> [Record] {
    window?.read(&packets, into: &items)
    guard !items.isEmpty else { return [] }
    defer { items.removeAll(keepingCapacity: true) }
    return items.compactMap {
      guard case .record(let record, _) = $0, record.sequence < boundary else { return nil }
      return record
    }
  }

  mutating func place(_ record: Record) -> Place {
    let isMade = states.pass(record)
    let isNext = record.sequence >= next
    defer { if isNext { next = record.sequence.next } }
    return Place(
      missed: isNext ? next..<record.sequence : next..<next, isNext: isNext, isMade: isMade)
  }

  /// Reads no more.
  ///
  /// - Returns: the records that did not come.
  mutating func finish() -> Range<SequenceNumber> {
    window = nil
    phase = .done
    defer { next = max(next, boundary) }
    return min(next, boundary)..<boundary
  }
}

/// How much of a session's past a viewer wants.
package enum HistoryRequest: Equatable, Sendable {
  /// The newest state and all after it.
  case newestState
  /// The last `n` records, and what comes after.
  case last(WireCount)
  /// Every record from this sequence on that is still available.
  case since(SequenceNumber)

  /// The first record wanted, given the newest; `.max` for none (Protocol.md §7.5).
  func first(newest: SequenceNumber) -> SequenceNumber {
    switch self {
    case .newestState: .max
    case .last(let count): max(newest.next.goingBack(by: count), 1)
    case .since(let sequence): max(sequence, 1)
    }
  }
}
