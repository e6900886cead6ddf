/// A relay's address and protocol.
package struct RelayAddress: Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// `@redux-devtools/cli`, or another gateway: SocketCluster at `/socketcluster/`.
    case socketCluster
    /// The relay that ReduxDevToolsBehavior was first written for: Socket.IO at `/socket.io/`.
    case socketIO
  }

  package let kind: Kind
  /// A name or a literal address, without brackets.
  package let host: String
  package let port: UInt16
  /// The path and query of the WebSocket.
  package let path: String
  /// The token to show to the relay. Anybody on the way can read it. `description` omits it.
  package var token: String?

  package init(kind: Kind, host: String, port: UInt16, path: String? = nil) {
    self.kind = kind
    self.host = host
    self.port = port
    self.path = path ?? kind.path
  }

  /// Reads `ws://host:8000/socketcluster/` and `socketio://host:8000`; port and path are optional.
  /// Returns nil for anything else, including TLS.
  package init?(parsing text: String) {
    let kinds: [(String, Kind)] = [
      ("ws://", .socketCluster), ("http://", .socketCluster), ("socketcluster://", .socketCluster),
      ("socketio://", .socketIO),
    ]
    guard let (scheme, kind) = kinds.first(where: { text.hasPrefix($0.0) }) else { return nil }
    let rest = text.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != "/" }
    let path = rest.dropFirst(authority.count)
    guard let (host, port) = Self.split(authority),
      path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "#") })
    else { return nil }
    self.init(
      kind: kind, host: host, port: port, path: path.isEmpty || path == "/" ? nil : String(path))
  }

  /// The host and the port of `host:port` or `[address]:port`. The default port is 8000.
  private static func split(_ authority: Substring) -> (host: String, port: UInt16)? {
    var host = authority
    var port: Substring?
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      host = authority[..<end].dropFirst()
      guard host.contains(":") else { return nil }
      let rest = authority[end...].dropFirst()
      guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
      if !rest.isEmpty { port = rest.dropFirst() }
    } else if let colon = authority.lastIndex(of: ":") {
      host = authority[..<colon]
      port = authority[colon...].dropFirst()
      guard !host.contains(":") else { return nil }
    }
    guard !host.isEmpty, host.utf8.allSatisfy(Self.isHostByte) else { return nil }
    guard let port else { return (String(host), 8_000) }
    // `UInt16` would accept a sign.
    guard port.allSatisfy(\.isNumber), let number = UInt16(port), number > 0 else { return nil }
    return (String(host), number)
  }

  /// Letters, digits and the other bytes of names, addresses and zones (RFC 6874).
  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "%"):
      true
    default: false
    }
  }

  /// The value of the `Host` field: an IPv6 address is in brackets (RFC 3986 §3.2.2).
  package var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  package var description: String {
    let isUsual = kind == .socketIO && path == kind.path
    return "\(kind == .socketIO ? "socketio" : "ws")://\(authority)\(isUsual ? "" : shownPath)"
  }

  /// The path with any token hidden, so that it is safe to print.
  var shownPath: String { path.replacing(#/([?&]token=)[^&]+/#) { "\($0.1)…" } }
}

extension RelayAddress.Kind {
  var path: String {
    switch self {
    // Without the trailing slash the official relay answers 400.
    case .socketCluster: "/socketcluster/"
    case .socketIO: "/socket.io/?EIO=4&transport=websocket"
    }
  }
}
