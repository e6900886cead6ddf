import Glibc
import SurfSockets

/// An endpoint of a TCP stream: an IPv4 or IPv6 address and a port.
package struct TCPAddress: Hashable, Sendable {
  package enum Host: Hashable, Sendable {
    /// In host order.
    case v4(UInt32)
    case v6(IPv6Address)
  }

  package var host: Host
  /// In host order. A listener on port 0 gets any free port.
  package var port: UInt16

  package init(_ host: Host, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Parses "127.0.0.1", "::1" or "[::1]" (RFC 3986 §3.2.2). Nil for anything else, such as a name.
  package init?(parsing text: String, port: UInt16) {
    if let address = IPv4.parse(text) {
      self.init(.v4(address), port: port)
    } else if let address = IPv6Address(parsing: Self.unbracketed(text)) {
      self.init(.v6(address), port: port)
    } else {
      return nil
    }
  }

  /// Parses "127.0.0.1:8000" and "[::1]:8000", with an optional port. Nil for anything else, such
  /// as a name, or an IPv6 address with a port but without brackets, which is ambiguous.
  package init?(endpoint text: String, defaultPort: UInt16) {
    let end = text.lastIndex(of: "]") ?? text.startIndex
    guard let colon = text[end...].lastIndex(of: ":") else {
      self.init(parsing: text, port: defaultPort)
      return
    }
    let host = String(text[..<colon])
    let digits = text[colon...].dropFirst()
    // `UInt16` would accept a sign.
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits),
      !host.contains(":") || host.hasPrefix("[")
    else { return nil }
    self.init(parsing: host, port: port)
  }

  /// Whether the address is 127.0.0.0/8, ::1, or an IPv4-mapped one of 127.0.0.0/8 (RFC 4291
  /// §2.5.3, §2.5.5.2).
  package var isLoopback: Bool {
    switch host {
    case .v4(let address): address >> 24 == 127
    case .v6(let address): address.isLoopback
    }
  }

  private static func unbracketed(_ text: String) -> String {
    guard text.hasPrefix("["), text.hasSuffix("]"), text.utf8.count >= 2 else { return text }
    return String(text.dropFirst().dropLast())
  }
}

extension TCPAddress: CustomStringConvertible {
  /// "127.0.0.1:8000", "[::1]:8000".
  package var description: String { "\(hostText):\(port)" }

  /// The address without the port, as in a URL: "127.0.0.1", "[::1]".
  package var hostText: String {
    switch host {
    case .v4(let address): IPv4.text(address)
    case .v6(let address): "[\(address)]"
    }
  }
}

/// An IPv6 address, as two halves in host order.
package struct IPv6Address: Hashable, Sendable {
  package var high: UInt64
  package var low: UInt64
  /// The interface's index for a link-local address (RFC 4007 §6), else 0.
  package var scope: UInt32

  package init(high: UInt64, low: UInt64, scope: UInt32 = 0) {
    self.high = high
    self.low = low
    self.scope = scope
  }

  /// Parses the text forms of RFC 4291 §2.2, without brackets and without a scope.
  package init?(parsing text: String) {
    // C would stop at a zero byte and parse only the text before it.
    guard text.utf8.count < Int(INET6_ADDRSTRLEN), !text.utf8.contains(0) else { return nil }
    var address = in6_addr()
    guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
    self.init(address, scope: 0)
  }

  /// Whether it is ::1 or ::ffff:127.0.0.0/104.
  package var isLoopback: Bool {
    high == 0 && (low == 1 || low >> 24 == 0xFF_FF7F)
  }

  init(_ address: in6_addr, scope: UInt32) {
    let halves = unsafeBitCast(address, to: SIMD2<UInt64>.self)
    self.init(high: UInt64(bigEndian: halves[0]), low: UInt64(bigEndian: halves[1]), scope: scope)
  }

  var inAddress: in6_addr {
    unsafeBitCast(SIMD2(high.bigEndian, low.bigEndian), to: in6_addr.self)
  }
}

extension IPv6Address: CustomStringConvertible {
  /// The short form (RFC 5952): "::1", "fe80::1%2".
  package var description: String {
    var address = inAddress
    let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) {
      buffer -> String in
      guard let start = buffer.baseAddress,
        let text = inet_ntop(AF_INET6, &address, start, socklen_t(buffer.count))
      else { return "?" }
      return String(cString: text)
    }
    return scope == 0 ? text : "\(text)%\(scope)"
  }
}
