/// Why a server refuses a request, with the code and text of the reference server.
package enum EngineIORefusal: Error, Equatable, Sendable, CaseIterable {
  /// `transport` is missing or neither `polling` nor `websocket`.
  case unknownTransport
  /// `sid` names no session.
  case unknownSession
  /// A request other than GET asks for a session.
  case badHandshakeMethod
  /// The request does not match the session or the transport.
  case badRequest
  /// `EIO` is not 4.
  case unsupportedProtocolVersion
  /// A body beyond `maxPayload`.
  case payloadTooLarge

  /// The status of the HTTP response.
  package var status: Int { self == .payloadTooLarge ? 413 : 400 }

  /// The JSON body of the HTTP response; empty for `payloadTooLarge`, which has no code.
  package var body: String {
    switch self {
    case .unknownTransport: #"{"code":0,"message":"Transport unknown"}"#
    case .unknownSession: #"{"code":1,"message":"Session ID unknown"}"#
    case .badHandshakeMethod: #"{"code":2,"message":"Bad handshake method"}"#
    case .badRequest: #"{"code":3,"message":"Bad request"}"#
    case .unsupportedProtocolVersion: #"{"code":5,"message":"Unsupported protocol version"}"#
    case .payloadTooLarge: ""
    }
  }
}

package enum EngineIOTransport: String, Equatable, Sendable {
  case polling
  case webSocket = "websocket"
}

/// The purpose of a request to `EngineRelay`.
package enum EngineIORequest: Equatable, Sendable {
  /// A new session.
  case open(EngineIOTransport)
  /// A GET for a session's packets.
  case poll(sid: String)
  /// A POST of packets to a session.
  case post(sid: String)
  /// A WebSocket that a session upgrades to.
  case webSocket(sid: String)
}

/// The query parameters of a request (Engine.IO protocol v4, "Query parameters").
package struct EngineIOHandshakeQuery: Equatable, Sendable {
  /// The parameter `EIO`.
  package var version: String?
  package var transport: String?
  package var sid: String?

  package init(version: String?, transport: String?, sid: String? = nil) {
    self.version = version
    self.transport = transport
    self.sid = sid
  }

  /// Interprets a request with `method`. `opensWebSocket` is whether it asks for an upgrade, and
  /// `isKnown` whether a `sid` names a session. Checks in the order of the reference server.
  package func request(
    method: String, opensWebSocket: Bool, isKnown: (String) -> Bool
  ) throws(EngineIORefusal) -> EngineIORequest {
    guard let transport = transport.flatMap(EngineIOTransport.init(rawValue:)) else {
      throw .unknownTransport
    }
    if let sid, !isKnown(sid) { throw .unknownSession }
    guard sid != nil || method == "GET" else { throw .badHandshakeMethod }
    guard opensWebSocket == (transport == .webSocket) else { throw .badRequest }
    guard version == "4" else { throw .unsupportedProtocolVersion }
    guard let sid else { return .open(transport) }
    switch (transport, method) {
    case (.webSocket, "GET"): return .webSocket(sid: sid)
    case (.polling, "GET"): return .poll(sid: sid)
    case (.polling, "POST"): return .post(sid: sid)
    default: throw .badRequest
    }
  }
}
