import SurfBasics
import SurfTransport
import SurfWire

/// A block of packets from another viewer. `RepairSeeker` fills it, and `UnprovenBatches` keeps it
/// until the app has vouched for it (Protocol.md §A.1).
struct PacketBatch: Sendable {
  let packets: Range<SequenceNumber>
  let count: Int
  /// The viewer that sends it.
  let repairer: Endpoint
  private(set) var missing = MissingRuns()
  private var bytes: [UInt8] = []
  private var places: [Place]

  /// Where a packet is in `bytes`.
  private struct Place: Sendable {
    var frames = 0..<0
    /// The datagram as received; empty for an unsealed packet.
    var sealed = 0..<0
  }

  /// - Precondition: `packets` is at most `Limits.checkRangeSizeMax` long.
  init(_ packets: Range<SequenceNumber>, from repairer: Endpoint, at now: Duration) {
    self.packets = packets
    count = packets.length.clamped(to: Limits.checkRangeSizeMax)
    self.repairer = repairer
    missing.want(packets, due: now)
    places = Array(repeating: Place(), count: count)
    // The system assigns memory only when it is written to.
    bytes.reserveCapacity(count * Limits.datagramSizeMax)
  }

  /// Octets received.
  var size: Int { bytes.count }
  var isWhole: Bool { missing.isEmpty }

  /// False if the packet is not in this block, or already here. A packet is never replaced: a whole
  /// block must not change after its sender has learned the digest's key.
  mutating func add(_ packet: PacketView) -> Bool {
    guard packets.contains(packet.sequence), missing.remove(packet.sequence) else { return false }
    let index = packets.lowerBound.distance(to: packet.sequence).clamped(to: count - 1)
    places[index].frames = append(packet.frames)
    if let sealed = packet.sealed { places[index].sealed = append(sealed) }
    return true
  }

  private mutating func append(_ octets: UnsafeRawBufferPointer) -> Range<Int> {
    let start = bytes.count
    bytes.append(contentsOf: octets)
    return start..<bytes.count
  }

  /// The packets to request from the block's sender now. Each is due again after a while.
  mutating func ask(
    at now: Duration, repeatMin: Duration, using random: inout SeededGenerator
  ) -> [PacketRange] {
    var round = RequestRound(at: now, repeatMin: repeatMin, packets: WireCount(count))
    missing.ask(in: &round, using: &random)
    return round.asked.compactMap(\.range)
  }

  func digest(_ key: DigestKey) -> Digest {
    var builder = Digest.Builder(key)
    visit { builder.add($0.sequence, $0.frames) }
    return builder.digest
  }

  /// Passes each packet to `body`, in order. The trailing edge is always 1: only the app states
  /// that.
  func visit(_ body: (PacketView) -> Void) {
    bytes.withUnsafeBytes { bytes in
      for (sequence, place) in zip(packets.numbers, places) {
        let sealed = UnsafeRawBufferPointer(rebasing: bytes[place.sealed])
        body(
          PacketView(
            sequence: sequence, oldestPacket: 1,
            frames: UnsafeRawBufferPointer(rebasing: bytes[place.frames]),
            sealed: sealed.isEmpty ? nil : sealed))
      }
    }
  }
}
