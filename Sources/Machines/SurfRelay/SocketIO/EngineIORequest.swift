import SurfWeb

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

extension EngineIORequest {
  /// Reads a request's query (Engine.IO protocol v4, "Query parameters"). Checks in the order of
  /// the reference server.
  ///
  /// - Parameter isKnown: whether a `sid` names a session.
  package init(
    _ request: HTTPRequest, isKnown: (String) -> Bool
  ) throws(EngineIORefusal) {
    let transport = request.queryValue("transport").flatMap(EngineIOTransport.init(rawValue:))
    guard let transport else { throw .unknownTransport }
    let sid = request.queryValue("sid")
    if let sid, !isKnown(sid) { throw .unknownSession }
    guard sid != nil || request.method == "GET" else { throw .badHandshakeMethod }
    guard WebSocketHandshake.isRequested(by: request) == (transport == .webSocket) else {
      throw .badRequest
    }
    guard request.queryValue("EIO") == "4" else { throw .unsupportedProtocolVersion }
    switch (transport, request.method, sid) {
    case (_, _, nil): self = .open(transport)
    case (.webSocket, "GET", let sid?): self = .webSocket(sid: sid)
    case (.polling, "GET", let sid?): self = .poll(sid: sid)
    case (.polling, "POST", let sid?): self = .post(sid: sid)
    default: throw .badRequest
    }
  }
}
