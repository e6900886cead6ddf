import SurfBasics
import SurfWire

/// Which packets bring the states of a session: the newest as a whole, and each from the whole
/// state that it builds on (Protocol.md §8.3).
struct StatePlaces: Sendable {
  /// Sequence numbers of the packets that bring one state.
  struct Extent: Sendable {
    var first: SequenceNumber
    var last: SequenceNumber
  }

  /// The records that begin and end in the packet that is being written.
  private struct OpenPacket: Sendable {
    /// The newest record with a state that begins in it, and the newest that ends in it.
    var begins: SequenceNumber?
    var ends: SequenceNumber?
    /// Whether a record with a whole state begins in it.
    var beginsWhole = false
  }

  /// The extent of the newest state whose packets were all sent.
  private(set) var newest: Extent?
  private var unsent = Queue<Extent>()
  /// Where the way to a state begins whose last packet is not yet written.
  private var openStart: SequenceNumber?
  /// The packet in which the newest whole state begins: where the way to the newest state begins.
  private var wholeStart: SequenceNumber = 1
  private var chains = StateChains()
  private var open = OpenPacket()

  /// A record begins in a packet.
  mutating func begin(_ record: Record, in packet: SequenceNumber) {
    guard record.carriesState else { return }
    open.begins = record.sequence
    if record.base == nil { open.beginsWhole = true }
    chains.note(record, inPacket: packet)
  }

  /// The record ends in the packet that is being written.
  mutating func end(_ record: Record) {
    if record.carriesState { open.ends = record.sequence }
  }

  /// The packet is written.
  mutating func close(_ packet: SequenceNumber) {
    defer { open = OpenPacket() }
    if let start = openStart, open.ends != nil {
      unsent.append(Extent(first: start, last: packet))
      openStart = nil
    }
    guard open.begins != nil else { return }
    if open.beginsWhole { wholeStart = packet }
    if open.ends == open.begins {
      unsent.append(Extent(first: wholeStart, last: packet))
    } else {
      openStart = wholeStart
    }
  }

  /// All packets before this one were sent.
  ///
  /// - Returns: whether another state is the newest now.
  mutating func noteSent(before packet: SequenceNumber) -> Bool {
    let old = newest?.last
    while let state = unsent.first, state.last < packet {
      newest = state
      _ = unsent.popFirst()
    }
    return newest?.last != old
  }

  /// Whether the newest state needs one of these packets, or a state that will soon be the newest.
  func need(_ packets: Range<SequenceNumber>) -> Bool {
    if let sending = unsent.first?.first ?? openStart, sending < packets.upperBound { return true }
    guard let newest else { return false }
    return packets.lowerBound <= newest.last && newest.first < packets.upperBound
  }

  /// All packets before this one are gone.
  mutating func forget(before packet: SequenceNumber) { chains.forget(before: packet) }

  /// The packet with the beginning of the whole state that this record, or the next one with a
  /// state, builds on; nil if that is this record itself, or is gone.
  func start(of record: SequenceNumber) -> SequenceNumber? { chains.start(of: record) }
}

/// In which packets the newest records of a session begin, and which of the old ones are gone.
struct RecordPlaces: Sendable {
  typealias Place = (record: SequenceNumber, packet: SequenceNumber)

  /// The newest record of which a packet was sent, and its first; zeros before there is one.
  private(set) var newestSent: Place = (0, 0)
  /// The newest record that begins in a written packet.
  private(set) var newestWritten: SequenceNumber = 0
  private var unsent = Queue<Place>()
  /// The newest record that begins in the packet that is being written, if one does.
  private var open: SequenceNumber?
  /// The newest record that begins in a packet that is gone: it is not available from its
  /// beginning.
  private var newestForgotten: SequenceNumber = 0

  /// The oldest record that is available from its beginning.
  var oldest: SequenceNumber { newestForgotten.next }

  mutating func begin(_ record: Record) { open = record.sequence }

  /// The packet is written.
  mutating func close(_ packet: SequenceNumber) {
    guard let record = open.take() else { return }
    newestWritten = record
    unsent.append((record, packet))
  }

  /// All packets before this one were sent.
  mutating func noteSent(before packet: SequenceNumber) {
    while let next = unsent.first, next.packet < packet {
      newestSent = next
      _ = unsent.popFirst()
    }
  }

  /// Packets are gone: this is the newest record that begins in them.
  mutating func forget(to record: SequenceNumber?) { newestForgotten = record ?? newestForgotten }
}
