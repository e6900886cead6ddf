import SurfReceiving
import SurfWire
import TestSupport
import Testing

/// A receiver with frames that no sender would send.
@Suite struct AssemblyTests {
  @Test func `good frames before a bad one count, those behind it do not`() {
    var receiver = Self.receiver()
    let frames = Self.frame(of: 1) + [2, 0, 0, 1, 9] + Self.frame(of: 2)
    receiver.receive(DataPacket(sequence: 1, oldestPacket: 1, frames: frames), at: .zero)
    #expect(receiver.records == [1])
    #expect(receiver.counters.drops == ["truncated": 1])
  }

  @Test func `a fragment that does not fit closes its record`() {
    var receiver = Self.receiver()
    let pieces = Self.pieces(of: 1)
    for (index, piece) in [pieces[0], pieces[2], pieces[1], pieces[2]].enumerated() {
      receiver.receive(Self.packet(index + 1, piece), at: .zero)
    }
    #expect(receiver.records == [])
    #expect(receiver.counters.drops == ["misfit fragment": 1])
  }

  @Test func `a fifth open record takes the place of the oldest`() {
    var receiver = Self.receiver()
    let pieces = (1...5 as ClosedRange<SequenceNumber>).map(Self.pieces)
    let order = pieces.map { $0[0] } + pieces.reversed().flatMap { $0.dropFirst() }
    for (index, piece) in order.enumerated() {
      receiver.receive(Self.packet(index + 1, piece), at: .zero)
    }
    // The fifth ends first; the others come too late for an order that rises.
    #expect(receiver.records == [5])
    #expect(receiver.counters.drops == ["open records": 1])
  }

  private static func receiver() -> Receiver {
    var receiver = Receiver(
      session: SessionID(rawValue: 1), viewer: ViewerID(rawValue: 2), viewerName: "v",
      repairWindow: 64, seed: 1, at: .zero)
    receiver.follow(.since(1), at: .zero)
    return receiver
  }

  private static func bytes(of sequence: SequenceNumber) -> [UInt8] {
    Record(sequence: sequence, kind: .mark, name: "mark").encoded()
  }

  private static func frame(of sequence: SequenceNumber) -> [UInt8] {
    var frame: [UInt8] = []
    Frame.record(bytes(of: sequence)).append(to: &frame)
    return frame
  }

  private static func pieces(of sequence: SequenceNumber) -> [Fragment] {
    let bytes = bytes(of: sequence)
    let third = bytes.count / 3
    return [(0, third), (third, 2 * third), (2 * third, bytes.count)].map { start, end in
      Fragment(
        record: sequence, total: WireCount(bytes.count), offset: WireCount(start),
        bytes: Array(bytes[start..<end]))
    }
  }

  private static func packet(_ sequence: Int, _ fragment: Fragment) -> DataPacket {
    var frames: [UInt8] = []
    Frame.fragment(fragment).append(to: &frames)
    return DataPacket(sequence: SequenceNumber(sequence), oldestPacket: 1, frames: frames)
  }
}

extension Receiver {
  /// The sequences of the records that came since the last time.
  fileprivate var records: [SequenceNumber] {
    mutating get {
      takeEvents().compactMap {
        $0.shown?.sequence
      }
    }
  }
}
