import SurfBasics
import SurfWire

/// Answers the checks of viewers that ask the app to vouch for packets from other viewers
/// (Protocol.md §A.1). `Sender` owns it, and verifies the cookie of each check first.
///
/// An attacker could make the app read a megabyte for each short question. So each endpoint has one
/// question at a time, and the reading rate is limited.
struct DigestResponder: Sendable {
  private var checks = Turns<Endpoint, Check>(countMax: 16)
  private var readyAt = Duration.zero

  /// Octets a second: a tenth of what one core reads.
  private static let rate = 256.0 * 1_024 * 1_024

  /// When the next proof may be made; nil if there is no question.
  var due: Duration? { checks.isEmpty ? nil : readyAt }

  /// A newer question from the same endpoint replaces the older one. Drops the question silently if
  /// too many others wait; the viewer repeats it.
  mutating func ask(_ check: Check, from endpoint: Endpoint) { checks.set(check, of: endpoint) }

  /// The next proof and its recipient, if one is due.
  ///
  /// - Parameter packet: the datagram of a packet, if the app still has it.
  mutating func next(
    at now: Duration, packet: (SequenceNumber) -> ArraySlice<UInt8>?
  ) -> (Proof, Endpoint)? {
    guard let due, due <= now, let (endpoint, check) = checks.popFirst() else { return nil }
    var size = 0
    let digests = check.ranges.map { range in
      Self.digest(of: range, check.key, size: &size, packet: packet)
    }
    readyAt = now + .seconds(Double(size) / Self.rate)
    return (Proof(viewer: check.viewer, key: check.key.first, digests: digests), endpoint)
  }

  private static func digest(
    of range: PacketRange, _ key: DigestKey, size: inout Int,
    packet: (SequenceNumber) -> ArraySlice<UInt8>?
  ) -> Digest? {
    var builder = Digest.Builder(key)
    for sequence in range.packets.numbers {
      guard let datagram = packet(sequence) else { return nil }
      size += datagram.count
      datagram.withUnsafeBytes { bytes in
        let body = bytes.dropFirst(DataPacket.overhead)
        builder.add(sequence, UnsafeRawBufferPointer(rebasing: body))
      }
    }
    return builder.digest
  }
}
