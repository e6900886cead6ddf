import JSONTree
import SurfBasics

/// The body of a request or response (Engine.IO protocol v4, "Packet encoding", long-polling).
package enum EngineIOPayload {
  private static let separator: UInt8 = 0x1e
  private static let binaryMark = UInt8(ascii: "b")

  package static func encode(_ packets: [EngineIOPacket]) -> [UInt8] {
    var body: [UInt8] = []
    for (index, packet) in packets.enumerated() {
      if index > 0 { body.append(separator) }
      switch packet.frame {
      case .text(let text): body.append(contentsOf: text.utf8)
      case .binary(let bytes):
        body.append(binaryMark)
        Base64.append(bytes, to: &body)
      }
    }
    return body
  }

  /// The packets in `body`, at least one. Takes linear time.
  package static func decode(_ body: [UInt8]) throws(EngineIOError) -> [EngineIOPacket] {
    var packets: [EngineIOPacket] = []
    for bytes in body.split(separator: separator, omittingEmptySubsequences: false) {
      packets.append(try packet(bytes))
    }
    return packets
  }

  private static func packet(_ bytes: ArraySlice<UInt8>) throws(EngineIOError) -> EngineIOPacket {
    if bytes.first == binaryMark {
      guard let data = Base64.decode(bytes.dropFirst(), .loose) else { throw .invalidBase64 }
      return .message(.binary(data))
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .invalidUTF8 }
    return try EngineIOPacket(text: text)
  }
}
