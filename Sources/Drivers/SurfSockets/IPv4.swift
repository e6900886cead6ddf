/// IPv4 addresses are plain `UInt32`s in host order: 127.0.0.1 is 0x7F00_0001 everywhere.
package enum IPv4 {
  package static let loopback: UInt32 = 0x7F00_0001

  /// Parses dotted decimal ("239.255.83.83"): four numbers from 0 to 255, nothing else.
  package static func parse(_ text: some StringProtocol) -> UInt32? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var address: UInt32 = 0
    for part in parts {
      guard let byte: UInt8 = parseDecimal(part) else { return nil }
      address = address << 8 | UInt32(byte)
    }
    return address
  }

  /// The address in dotted decimal.
  package static func text(_ address: UInt32) -> String {
    [24, 16, 8, 0].map { String(address >> $0 & 0xFF) }.joined(separator: ".")
  }

  /// Whether the address is a multicast group (224.0.0.0/4, RFC 5771).
  package static func isMulticast(_ address: UInt32) -> Bool {
    address >> 28 == 0xE
  }

  /// Digits only: `Int.init` would also accept "+1", and C's parser reads "010" as eight.
  static func parseDecimal<Number: FixedWidthInteger>(_ text: some StringProtocol) -> Number? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    guard text.utf8.count == 1 || text.utf8.first != 0x30 else { return nil }
    return Number(text)
  }
}

/// Where a datagram comes from or goes to.
package struct IPv4Endpoint: Hashable, Sendable, CustomStringConvertible {
  /// In host order.
  package var address: UInt32
  /// In host order.
  package var port: UInt16

  package init(address: UInt32, port: UInt16) {
    self.address = address
    self.port = port
  }

  /// Parses "127.0.0.1:80"; `nil` for anything else, including a name or a missing port.
  package init?(parsing text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let address = IPv4.parse(parts[0]),
      let port: UInt16 = IPv4.parseDecimal(parts[1])
    else { return nil }
    self.init(address: address, port: port)
  }

  /// The form that `init(parsing:)` reads.
  package var description: String { "\(IPv4.text(address)):\(port)" }
}
