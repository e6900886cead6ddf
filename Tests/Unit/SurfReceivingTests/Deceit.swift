import SurfTransport
import SurfWire
import TestSupport

extension SimulatedViewer {
  /// Does to a datagram for another viewer what this one does to them; false if it is not sent.
  func distort(
    _ bytes: inout [UInt8], number: Int, using random: inout SeededGenerator
  ) -> Bool {
    guard let deceit else { return true }
    guard bytes[3] == 1 else {
      // An offer.
      if deceit == .promisesTooMuch {
        bytes.replaceSubrange(
          32..<48, with: [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 255, 255])
      }
      return true
    }
    switch deceit {
    case .flipsSeldom where number % 100 != 0: break
    case .flipsBit, .flipsSeldom:
      let index = Int.random(in: DataPacket.overhead..<bytes.count, using: &random)
      bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
    // The frames stay what they were, under the number of a neighbour.
    case .swapsPackets:
      bytes.withUnsafeMutableBytes { datagram in
        let sequence = UInt64(
          bigEndian: datagram.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
        let neighbour = (sequence - 1) ^ 1 + 1
        DataPacket.number(datagram, as: SequenceNumber(neighbour))
        DataPacket.mark(datagram, with: [.repair, .history])
        DataPacket.stamp(datagram, oldestPacket: SequenceNumber(neighbour))
      }
    case .invents:
      let record = Record(
        sequence: SequenceNumber(number), kind: .action, name: "invented", payload: nil,
        state: .none)
      var frames: [UInt8] = []
      Frame.record(record.encoded()).append(to: &frames)
      bytes.replaceSubrange(DataPacket.overhead..., with: frames)
    case .cuts: bytes.removeLast()
    case .fallsSilent: return number % 40 < 20
    case .promisesTooMuch: break
    }
    return true
  }
}
