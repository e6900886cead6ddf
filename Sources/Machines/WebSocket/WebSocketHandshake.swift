import SurfBasics
import SurfHTTP

/// The server's side of the opening handshake (RFC 6455 §4.2), and the parts that both sides share.
/// The caller must judge whether the `Origin` may connect (RFC 6455 §10.2).
package enum WebSocketHandshake {
  /// Whether the request asks for a WebSocket at all, well or badly.
  package static func isRequested(by request: HTTPRequest) -> Bool {
    request.headers.contains("Upgrade", token: "websocket")
  }

  /// The 101 that accepts the request; the bytes behind the request are frames. No extension is
  /// ever accepted.
  /// - Parameter protocols: The subprotocols that the server speaks. It chooses the first of those
  ///   that the client lists, or none if the client lists none of them.
  package static func response(
    to request: HTTPRequest, protocols: [String] = []
  ) throws(HandshakeError) -> HTTPResponse {
    guard request.method == "GET" else { throw .notGet }
    let headers = request.headers
    guard request.version == .http11, isRequested(by: request),
      headers.contains("Connection", token: "Upgrade")
    else { throw .notUpgrade }
    guard headers.values(of: "Sec-WebSocket-Version") == ["13"] else { throw .unsupportedVersion }
    let keys = headers.values(of: "Sec-WebSocket-Key")
    guard keys.count == 1, let key = keys.first,
      Base64.decode(Array(key.utf8)[...], .canonical)?.count == 16
    else {
      throw .badKey
    }
    return accepting(
      key, protocol: subprotocols(in: headers).first { protocols.contains($0) })
  }

  /// The `Sec-WebSocket-Accept` that answers the key (RFC 6455 §4.2.2, 5.4).
  static func accept(for key: String) -> String {
    let suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    return Base64.text(SHA1.digest(of: Array((key + suffix).utf8)))
  }

  static func subprotocols(in headers: HTTPHeaders) -> [String] {
    headers.values(of: "Sec-WebSocket-Protocol", splittingLists: true)
  }

  private static func accepting(_ key: String, protocol name: String?) -> HTTPResponse {
    var headers: HTTPHeaders = ["Upgrade": "websocket", "Connection": "Upgrade"]
    headers["Sec-WebSocket-Accept"] = accept(for: key)
    headers["Sec-WebSocket-Protocol"] = name
    return HTTPResponse(status: 101, headers: headers)
  }
}
