import SurfBasics

/// The server's side of the opening handshake (RFC 6455 §4.2), and what both sides share. The
/// caller must decide whether the `Origin` may connect (RFC 6455 §10.2).
package enum WebSocketHandshake {
  /// Whether the request asks for a WebSocket, validly or not.
  package static func isRequested(by request: HTTPRequest) -> Bool {
    request.headers.contains("Upgrade", token: "websocket")
  }

  /// The 101 that accepts the request and no extension. The bytes after the request are frames.
  /// - Parameter protocols: the subprotocols that the server speaks. It chooses the first of the
  ///   client's that is among them, or none.
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

  /// The `Sec-WebSocket-Accept` for a key (RFC 6455 §4.2.2, 5.4).
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

extension WebSocketHandshake {
  /// The client's side of the opening handshake (RFC 6455 §4.1).
  package struct ClientHandshake: Sendable {
    package let request: HTTPRequest
    private let key: String

    /// - Parameters:
    ///   - host: the host and port, as in the `Host` field.
    ///   - path: the path and query, starting with a slash.
    ///   - key: 16 random bytes, new for each connection: `SIMD16<UInt8>.random(in: 0 ... .max)`.
    ///   - extraHeaders: fields such as `Origin`. Those of the handshake itself are replaced.
    package init(
      host: String, path: String, key: SIMD16<UInt8>, extraHeaders: HTTPHeaders = HTTPHeaders()
    ) {
      self.key = Base64.text(key.indices.map { key[$0] })
      var headers = extraHeaders
      headers["Host"] = host
      headers["Upgrade"] = "websocket"
      headers["Connection"] = "Upgrade"
      headers["Sec-WebSocket-Key"] = self.key
      headers["Sec-WebSocket-Version"] = "13"
      headers["Sec-WebSocket-Extensions"] = nil
      headers["Sec-WebSocket-Protocol"] = nil
      request = HTTPRequest(target: path, headers: headers)
    }

    /// Checks the server's answer. The bytes after it are frames.
    package func check(_ response: HTTPResponse) throws(HandshakeError) {
      guard response.status == 101 else { throw .refused(status: response.status) }
      let headers = response.headers
      let upgrades = headers.values(of: "Upgrade", splittingLists: true).map { $0.lowercased() }
      guard upgrades == ["websocket"], headers.contains("Connection", token: "Upgrade") else {
        throw .notUpgrade
      }
      guard headers.values(of: "Sec-WebSocket-Accept") == [accept(for: key)] else {
        throw .badAccept
      }
      guard headers["Sec-WebSocket-Extensions"] == nil, headers["Sec-WebSocket-Protocol"] == nil
      else { throw .notOffered }
    }
  }
}

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

  /// The server's answer (RFC 6455 §4.2.2, §4.4): 400, 405, or 426 with the version it accepts.
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

/// The digest in `Sec-WebSocket-Accept` (RFC 3174). It protects nothing: RFC 6455 §1.3 only asks
/// for proof that the peer read the key.
package enum SHA1 {
  package static func digest(of message: [UInt8]) -> [UInt8] {
    let padded = padded(message)
    var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
    for start in stride(from: 0, to: padded.count, by: 64) {
      let mixed = compress(state, schedule(padded[start..<(start + 64)]))
      state = zip(state, mixed).map { $0 &+ $1 }
    }
    return state.flatMap(bigEndianBytes)
  }

  /// Appends a one bit, zeros and the length in bits as 8 bytes, to fill blocks of 64 bytes.
  private static func padded(_ message: [UInt8]) -> [UInt8] {
    let zeros = (119 - message.count % 64) % 64
    let bits = UInt64(message.count) << 3
    let length = bigEndianBytes(UInt32(bits >> 32)) + bigEndianBytes(UInt32(bits & 0xffff_ffff))
    return message + [0x80] + [UInt8](repeating: 0, count: zeros) + length
  }

  private static func schedule(_ block: ArraySlice<UInt8>) -> [UInt32] {
    var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
      block[start..<(start + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<80 {
      let mixed = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
      words.append(rotated(mixed, by: 1))
    }
    return words
  }

  private static func compress(_ state: [UInt32], _ words: [UInt32]) -> [UInt32] {
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for (index, word) in words.enumerated() {
      let (choice, constant): (UInt32, UInt32) =
        switch index {
        case ..<20: (b & c | ~b & d, 0x5a82_7999)
        case ..<40: (b ^ c ^ d, 0x6ed9_eba1)
        case ..<60: (b & c | b & d | c & d, 0x8f1b_bcdc)
        default: (b ^ c ^ d, 0xca62_c1d6)
        }
      let next = rotated(a, by: 5) &+ choice &+ e &+ word &+ constant
      (a, b, c, d, e) = (next, a, rotated(b, by: 30), c, d)
    }
    return [a, b, c, d, e]
  }

  private static func rotated(_ word: UInt32, by count: UInt32) -> UInt32 {
    word << count | word >> (32 - count)
  }

  private static func bigEndianBytes(_ word: UInt32) -> [UInt8] {
    stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
  }
}
