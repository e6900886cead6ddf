import SurfBasics
import SurfHTTP

extension WebSocketHandshake {
  /// The client's side of the opening handshake (RFC 6455 §4.1).
  package struct ClientHandshake: Sendable {
    /// The first message to send.
    package let request: HTTPRequest
    private let key: String

    /// - Parameters:
    ///   - host: The host with its port, as the `Host` field has it.
    ///   - path: The path and query, starting with a slash.
    ///   - key: 16 random bytes, new for each connection:
    ///     `SIMD16<UInt8>.random(in: 0 ... .max)`.
    ///   - protocols: The subprotocols to offer, the best first.
    ///   - extraHeaders: Fields such as `Origin`; those of the handshake itself are replaced.
    package init(
      host: String, path: String, key: SIMD16<UInt8>, protocols: [String] = [],
      extraHeaders: HTTPHeaders = HTTPHeaders()
    ) {
      self.key = Base64.text(key.indices.map { key[$0] })
      var headers = extraHeaders
      headers["Host"] = host
      headers["Upgrade"] = "websocket"
      headers["Connection"] = "Upgrade"
      headers["Sec-WebSocket-Key"] = self.key
      headers["Sec-WebSocket-Version"] = "13"
      headers["Sec-WebSocket-Extensions"] = nil
      headers["Sec-WebSocket-Protocol"] =
        protocols.isEmpty ? nil : protocols.joined(separator: ", ")
      request = HTTPRequest(target: path, headers: headers)
    }

    /// Accepts or refuses the server's answer; the bytes behind it are frames.
    /// - Returns: The subprotocol that the server chose.
    @discardableResult
    package func check(_ response: HTTPResponse) throws(HandshakeError) -> String? {
      guard response.status == 101 else { throw .refused(status: response.status) }
      let headers = response.headers
      let upgrades = headers.values(of: "Upgrade", splittingLists: true).map { $0.lowercased() }
      guard upgrades == ["websocket"], headers.contains("Connection", token: "Upgrade") else {
        throw .notUpgrade
      }
      guard headers.values(of: "Sec-WebSocket-Accept") == [accept(for: key)] else {
        throw .badAccept
      }
      return try chosenProtocol(in: headers)
    }

    private func chosenProtocol(in headers: HTTPHeaders) throws(HandshakeError) -> String? {
      guard headers.values(of: "Sec-WebSocket-Extensions").isEmpty else { throw .notOffered }
      let chosen = headers.values(of: "Sec-WebSocket-Protocol")
      guard chosen.count <= 1 else { throw .notOffered }
      guard let name = chosen.first else { return nil }
      guard subprotocols(in: request.headers).contains(name) else { throw .notOffered }
      return name
    }
  }
}
