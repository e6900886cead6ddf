/// One side of a WebSocket after the opening handshake (RFC 6455 §5 to §7), for the gateway and
/// `RelayLink`. It answers pings and the closing handshake itself. After every call, send what
/// `takeOutput` returns. Once `closeState` is `closed` and all is sent, a server closes the
/// connection, and a client waits a little for that.
package struct WebSocketConnection: Sendable {
  /// Which side this is (RFC 6455 §5.1).
  package enum Role: Sendable {
    case server
    /// A client masks each frame with a fresh random key.
    case client(maskingKey: @Sendable () -> UInt32)
  }

  /// What the peer did.
  package enum Event: Equatable, Sendable {
    case text(String)
    case binary([UInt8])
    /// A ping with its payload. The connection answers it.
    case ping([UInt8])
    case pong([UInt8])
    /// The last event: the peer closed, or answered our close. The code is nil if it sent none.
    case closed(CloseCode?, reason: String)
    /// The last event: the peer broke the protocol or a limit. It is sent the reason.
    case failed(CloseCode, reason: String)
  }

  /// The state of the closing handshake (RFC 6455 §7.1).
  package enum CloseState: Equatable, Sendable {
    case open
    /// We have sent a close frame, and the peer has not: messages arrive, but none are sent.
    case closing
    /// Nothing more is received or sent.
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

  /// Whether the closing handshake is over, or the connection has failed.
  package var isClosed: Bool { closeState == .closed }

  /// The memory of an incomplete incoming message, in octets.
  package var unfinishedSize: Int { assembler.memorySize }

  /// Fails the connection to free the memory of an incomplete message, and informs the peer.
  package mutating func giveUp() { _ = fail(.noMemory) }

  /// Takes bytes from the peer, split anywhere. Ignores bytes after the end.
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
      // After a close frame the peer reads nothing.
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

/// The most that a connection accepts from its peer.
package struct WebSocketLimits: Equatable, Sendable {
  /// Bytes of one message, over all its fragments; more fails the connection with 1009.
  package var messageBytes: Int
  /// Bytes of pongs that may wait. Beyond, only the newest ping is answered (RFC 6455 §5.5.3).
  package var waitingPongBytes: Int

  package init(messageBytes: Int = 1024 * 1024, waitingPongBytes: Int = 16 * 1024) {
    self.messageBytes = messageBytes
    self.waitingPongBytes = waitingPongBytes
  }
}

/// Why a `WebSocketConnection` failed (RFC 6455 §7.1.7).
struct ConnectionFailure: Error, Equatable {
  let code: CloseCode
  let reason: String

  static func protocolError(_ reason: String) -> ConnectionFailure {
    ConnectionFailure(code: .protocolError, reason: reason)
  }

  static let badText = ConnectionFailure(code: .invalidPayload, reason: "The text is not UTF-8.")
  static let noMemory = ConnectionFailure(
    code: .messageTooBig, reason: "Unfinished messages take too much memory in all.")
  static let tooBig = ConnectionFailure(code: .messageTooBig, reason: "The message is too big.")
}

/// Sending. These do nothing once a close frame is sent or the connection has failed.
extension WebSocketConnection {
  package mutating func send(_ message: WebMessage) {
    guard closeState == .open else { return }
    switch message {
    case .text(let text): writer.add(.text, text.utf8)
    case .binary(let bytes): writer.add(.binary, bytes)
    }
  }

  /// Begins the closing handshake.
  /// - Parameters:
  ///   - code: if it is nil or may not be sent, none is sent.
  ///   - reason: sent only with a code, cut after the last whole character within 123 bytes.
  package mutating func close(code: CloseCode? = .normal, reason: String = "") {
    guard closeState == .open else { return }
    writer.add(.close, CloseFrame.payload(code, reason: reason))
    closeState = .closing
  }

  /// Encodes a server's text message once for all its clients. A server does not mask frames, so
  /// each client gets the same (RFC 6455 §5.1). Not for use between the fragments of a message, but
  /// this type sends no fragments.
  package static func serverFrame(text: some Collection<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count + 10)
    FrameWriter.append(.text, text, key: nil, to: &bytes)
    return bytes
  }

  /// Removes and returns the bytes to send.
  package mutating func takeOutput() -> [UInt8] {
    writer.take(isOpen: closeState == .open)
  }
}

/// Writes frames for `OutputQueue`; messages are never fragmented (RFC 6455 §5.2).
enum FrameWriter {
  /// - Parameter key: the masking key of a client.
  static func append(
    _ opcode: Opcode, _ payload: some Collection<UInt8>, key: UInt32?, to output: inout [UInt8]
  ) {
    output.append(0x80 | opcode.rawValue)
    appendLength(payload.count, flag: key == nil ? 0 : 0x80, to: &output)
    if let key { appendBigEndian(UInt64(key), size: 4, to: &output) }
    let start = output.count
    output.append(contentsOf: payload)
    guard let key else { return }
    var mask = Mask(key)
    mask.apply(to: &output, from: start)
  }

  private static func appendLength(_ length: Int, flag: UInt8, to output: inout [UInt8]) {
    switch length {
    case ...125: output.append(flag | UInt8(length))
    case ...0xffff:
      output.append(flag | 126)
      appendBigEndian(UInt64(length), size: 2, to: &output)
    default:
      output.append(flag | 127)
      appendBigEndian(UInt64(length), size: 8, to: &output)
    }
  }

  private static func appendBigEndian(_ number: UInt64, size: Int, to output: inout [UInt8]) {
    for shift in stride(from: (size - 1) * 8, through: 0, by: -8) {
      output.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }
}

/// The frames of a `WebSocketConnection` that wait to be sent.
struct OutputQueue {
  private let role: WebSocketConnection.Role
  private let pongLimit: Int
  private var bytes: [UInt8] = []
  private var pongBytes = 0
  /// The newest ping that arrived when too many pongs were waiting.
  private var unansweredPing: [UInt8]?

  init(role: WebSocketConnection.Role, pongLimit: Int) {
    self.role = role
    self.pongLimit = pongLimit
  }

  mutating func add(_ opcode: Opcode, _ payload: some Collection<UInt8>) {
    FrameWriter.append(opcode, payload, key: nextKey, to: &bytes)
  }

  /// Bounds the queued pongs: a peer might send pings and never read.
  mutating func answer(ping payload: [UInt8]) {
    let size = payload.count + 6
    guard pongBytes + size <= pongLimit else {
      unansweredPing = payload
      return
    }
    pongBytes += size
    add(.pong, payload)
  }

  /// - Parameter isOpen: whether frames may follow those in the queue.
  mutating func take(isOpen: Bool) -> [UInt8] {
    if isOpen, let unansweredPing { add(.pong, unansweredPing) }
    let taken = bytes
    bytes = []
    pongBytes = 0
    unansweredPing = nil
    return taken
  }

  private var nextKey: UInt32? {
    switch role {
    case .server: nil
    case .client(let maskingKey): maskingKey()
    }
  }
}
