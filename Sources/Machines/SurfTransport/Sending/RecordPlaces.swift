import SurfBasics
import SurfWire

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

  mutating func begin(_ record: OutgoingRecord) { open = record.sequence }

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
