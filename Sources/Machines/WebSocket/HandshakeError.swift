import SurfHTTP

/// Why an opening handshake was refused (RFC 6455 §4).
package enum HandshakeError: Error, Equatable, Sendable {
  /// The request's method is not `GET`.
  case notGet
  /// No `Upgrade: websocket` with `Connection: Upgrade`, or not in HTTP/1.1.
  case notUpgrade
  /// `Sec-WebSocket-Version` is not 13.
  case unsupportedVersion
  /// Not exactly one `Sec-WebSocket-Key` of 16 bytes in base64.
  case badKey
  /// The server answered with a status other than 101.
  case refused(status: Int)
  /// `Sec-WebSocket-Accept` does not prove that the server read the key.
  case badAccept
  /// The server chose an extension or a subprotocol that was not offered.
  case notOffered

  /// The server's answer (RFC 6455 §4.2.2, §4.4): 400, 405, or 426 with what it would take.
  package var response: HTTPResponse {
    switch self {
    case .notGet: HTTPResponse(status: 405, headers: ["Allow": "GET"])
    case .notUpgrade, .unsupportedVersion:
      HTTPResponse(
        status: 426,
        headers: [
          "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
        ])
    case .badKey, .refused, .badAccept, .notOffered: HTTPResponse(status: 400)
    }
  }
}
