import SurfBasics
import SurfWire

/// Which packets contain the states of a session: the newest state, and each from its keyframe on
/// (Protocol.md §8.3). `PacketHistory` owns it.
struct StatePlaces: Sendable {
  /// The records that begin and end in the packet that is being written.
  private struct OpenPacket: Sendable {
    /// The newest record with a state that begins in it, and the newest that ends in it.
    var begins: SequenceNumber?
    var ends: SequenceNumber?
    /// Whether a record with a keyframe begins in it.
    var beginsKeyframe = false
  }

  /// The packets of the newest state that was sent completely.
  private(set) var newest: ClosedRange<SequenceNumber>?
  private var unsent = Queue<ClosedRange<SequenceNumber>>()
  /// The keyframe's packet for a state whose last packet is not written yet.
  private var openStart: SequenceNumber?
  /// The first packet of the newest keyframe.
  private var keyframeStart: SequenceNumber = 1
  private var chains = StateChains()
  private var open = OpenPacket()

  mutating func begin(_ record: Record, in packet: SequenceNumber) {
    guard record.carriesState else { return }
    open.begins = record.sequence
    if record.base == nil { open.beginsKeyframe = true }
    chains.note(record, inPacket: packet)
  }

  /// The record ends in the packet that is being written.
  mutating func end(_ record: Record) {
    if record.carriesState { open.ends = record.sequence }
  }

  /// The packet is complete.
  mutating func close(_ packet: SequenceNumber) {
    defer { open = OpenPacket() }
    if let start = openStart, open.ends != nil {
      unsent.append(min(start, packet)...packet)
      openStart = nil
    }
    guard open.begins != nil else { return }
    if open.beginsKeyframe { keyframeStart = packet }
    if open.ends == open.begins {
      unsent.append(min(keyframeStart, packet)...packet)
    } else {
      openStart = keyframeStart
    }
  }

  /// All packets before this one were sent. Returns whether the newest state has changed.
  mutating func noteSent(before packet: SequenceNumber) -> Bool {
    let old = newest
    while let state = unsent.first, state.upperBound < packet {
      newest = state
      _ = unsent.popFirst()
    }
    return newest != old
  }

  /// Whether one of the packets belongs to the newest state, or to one that is about to be the
  /// newest.
  func need(_ packets: Range<SequenceNumber>) -> Bool {
    let sending = unsent.first?.lowerBound ?? openStart
    return sending.map { $0 < packets.upperBound } ?? false || newest?.overlaps(packets) == true
  }

  mutating func forget(before packet: SequenceNumber) { chains.forget(before: packet) }

  /// See `StateChains`.
  func start(of record: SequenceNumber) -> SequenceNumber? { chains.start(of: record) }
}

/// In which packets the newest records of a session begin, for `PacketHistory`, and which old ones
/// are gone.
struct RecordPlaces: Sendable {
  typealias Place = (record: SequenceNumber, packet: SequenceNumber)

  /// The newest record with a sent packet, and its first packet; zeros without one.
  private(set) var newestSent: Place = (0, 0)
  /// The newest record that begins in a complete packet.
  private(set) var newestWritten: SequenceNumber = 0
  private var unsent = Queue<Place>()
  /// The newest record that begins in the packet that is being written, if any.
  private var open: SequenceNumber?
  /// The newest record that begins in an evicted packet, and so is no longer complete.
  private var newestForgotten: SequenceNumber = 0

  /// The oldest record that is available from its beginning.
  var oldest: SequenceNumber { newestForgotten.next }

  mutating func begin(_ record: Record) { open = record.sequence }

  /// The packet is complete.
  mutating func close(_ packet: SequenceNumber) {
    guard let record = open.take() else { return }
    newestWritten = record
    unsent.append((record, packet))
  }

  mutating func noteSent(before packet: SequenceNumber) {
    while let next = unsent.first, next.packet < packet {
      newestSent = next
      _ = unsent.popFirst()
    }
  }

  /// Packets were evicted. `record` is the newest that begins in them.
  mutating func forget(to record: SequenceNumber?) { newestForgotten = record ?? newestForgotten }
}

/// Where keyframes begin that later deltas build on (Protocol.md §8.3). A viewer that wants a
/// record in the middle must begin there. `StatePlaces` owns it.
struct StateChains: Sendable {
  private struct Chain: Sendable {
    /// The record with the keyframe, and its first packet.
    var record: SequenceNumber
    var packet: SequenceNumber
    /// The last record that builds on it, directly or not.
    var last: SequenceNumber
  }

  /// In rising order. Keyframes without deltas are left out, except the newest.
  private var chains = Queue<Chain>()

  mutating func note(_ record: Record, inPacket packet: SequenceNumber) {
    if record.base != nil {
      guard !chains.isEmpty else { return }
      chains.update(chains.count - 1) { $0.last = record.sequence }
    } else {
      if let last = chains.last, last.last == last.record { _ = chains.popLast() }
      chains.append(Chain(record: record.sequence, packet: packet, last: record.sequence))
    }
  }

  mutating func forget(before packet: SequenceNumber) {
    while let first = chains.first, first.packet < packet { _ = chains.popFirst() }
  }

  /// The packet with the beginning of the keyframe that this record, or the next one with a state,
  /// builds on. Nil if that is this record itself, or is gone.
  func start(of record: SequenceNumber) -> SequenceNumber? {
    let index = chains.partitionPoint { $0.last >= record }
    guard index < chains.count, chains[index].record < record else { return nil }
    return chains[index].packet
  }
}
