/// One side of a WebSocket after the opening handshake (RFC 6455 §5 to §7). It answers pings and
/// the closing handshake itself. Send what `takeOutput` gives after every call; when `closeState`
/// is `closed` and that is sent, a server closes the connection and a client waits a little for it.
package struct WebSocketConnection: Sendable {
  /// Which side this is (RFC 6455 §5.1).
  package enum Role: Sendable {
    case server
    /// A client masks each frame with a fresh random key.
    case client(maskingKey: @Sendable () -> UInt32)
  }

  /// An event from the peer.
  package enum Event: Equatable, Sendable {
    case text(String)
    case binary([UInt8])
    /// A ping with its payload; it is being answered.
    case ping([UInt8])
    case pong([UInt8])
    /// The peer closed, or answered our close; the code is nil if it gave none. Nothing follows.
    case closed(CloseCode?, reason: String)
    /// The peer broke the protocol or a limit and is told so. Nothing follows.
    case failed(CloseCode, reason: String)
  }

  /// How far the closing handshake is (RFC 6455 §7.1).
  package enum CloseState: Equatable, Sendable {
    case open
    /// Our close frame is sent and the peer's has not come: messages still arrive, none is sent.
    case closing
    /// Nothing is received or sent any more.
    case closed
  }

  private struct Payload {
    let header: FrameHeader
    var mask: Mask?
    var remaining: Int
    var control: [UInt8] = []
  }

  package internal(set) var closeState = CloseState.open
  var writer: OutputQueue
  private var headerReader: FrameHeaderReader
  private var payload: Payload?
  private var assembler: MessageAssembler

  package init(role: Role, limits: WebSocketLimits = WebSocketLimits()) {
    writer = OutputQueue(role: role, pongLimit: limits.waitingPongBytes)
    assembler = MessageAssembler(limit: limits.messageBytes)
    switch role {
    case .server: headerReader = FrameHeaderReader(expectsMask: true)
    case .client: headerReader = FrameHeaderReader(expectsMask: false)
    }
  }

  /// Whether the closing handshake is over, or the connection failed.
  package var isClosed: Bool { closeState == .closed }

  /// Octets of memory that a message takes which is not all here.
  package var unfinishedSize: Int { assembler.memorySize }

  /// Gives an unfinished message up, for want of memory, and tells the peer.
  package mutating func giveUp() { _ = fail(.noMemory) }

  /// Takes bytes from the peer, cut anywhere; bytes after the end are ignored.
  package mutating func receive(_ bytes: [UInt8]) -> [Event] {
    var events: [Event] = []
    var rest = bytes[...]
    while !isClosed && !rest.isEmpty {
      do {
        if let event = try step(&rest) { events.append(event) }
      } catch {
        events.append(fail(error))
      }
    }
    return events
  }

  private mutating func step(_ rest: inout ArraySlice<UInt8>) throws(ConnectionFailure) -> Event? {
    if payload == nil {
      guard let byte = rest.popFirst() else { return nil }
      let isInMessage = assembler.isInMessage
      guard let header = try headerReader.accept(byte, isInMessage: isInMessage) else {
        return nil
      }
      if !header.opcode.isControl { try assembler.begin(header) }
      payload = Payload(header: header, mask: header.mask, remaining: header.length)
    }
    try readPayload(&rest)
    guard let payload, payload.remaining == 0 else { return nil }
    self.payload = nil
    return try finish(payload)
  }

  private mutating func readPayload(_ rest: inout ArraySlice<UInt8>) throws(ConnectionFailure) {
    guard var current = payload else { return }
    let chunk = rest.prefix(current.remaining)
    rest = rest[chunk.endIndex...]
    current.remaining -= chunk.count
    if current.header.opcode.isControl {
      current.control += chunk
    } else {
      try assembler.append(chunk, unmasking: &current.mask)
    }
    payload = current
  }

  private mutating func finish(_ payload: Payload) throws(ConnectionFailure) -> Event? {
    var (control, mask) = (payload.control, payload.mask)
    mask?.apply(to: &control, from: 0)
    switch payload.header.opcode {
    case .continuation, .text, .binary:
      return payload.header.isFinal ? try assembler.finish() : nil
    case .ping:
      // A peer that was sent a close frame reads nothing behind it.
      if closeState == .open { writer.answer(ping: control) }
      return .ping(control)
    case .pong: return .pong(control)
    case .close: return try finishClose(control)
    }
  }

  private mutating func finishClose(_ bytes: [UInt8]) throws(ConnectionFailure) -> Event {
    let (code, reason) = try CloseFrame.parse(bytes)
    end(with: code, reason: "")
    return .closed(code, reason: reason)
  }

  private mutating func fail(_ failure: ConnectionFailure) -> Event {
    end(with: failure.code, reason: failure.reason)
    return .failed(failure.code, reason: failure.reason)
  }

  private mutating func end(with code: CloseCode?, reason: String) {
    close(code: code, reason: reason)
    closeState = .closed
    payload = nil
    assembler = MessageAssembler(limit: 0)
  }
}
