/// Sending. Once a close frame is sent or the connection has failed, these do nothing.
extension WebSocketConnection {
  /// Sends one message in one frame.
  package mutating func sendText(_ text: String) {
    if closeState == .open { writer.add(.text, text.utf8) }
  }

  /// Sends one message in one frame.
  package mutating func sendBinary(_ bytes: [UInt8]) {
    if closeState == .open { writer.add(.binary, bytes) }
  }

  /// Begins the closing handshake.
  /// - Parameters:
  ///   - code: Nil, like a code that may not be sent, sends none.
  ///   - reason: Sent with a code only, up to the last whole character within 123 bytes of UTF-8.
  package mutating func close(code: CloseCode? = .normal, reason: String = "") {
    guard closeState == .open else { return }
    writer.add(.close, CloseFrame.payload(code, reason: reason))
    closeState = .closing
  }

  /// One text message of a server's, for all its clients: a server's frames are not masked, and so
  /// the same for each (RFC 6455 §5.1). Do not put it between the frames of a fragmented message;
  /// this type sends none.
  package static func serverFrame(text: some Collection<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count + 10)
    FrameWriter.append(.text, text, key: nil, to: &bytes)
    return bytes
  }

  /// Takes the bytes to send now.
  package mutating func takeOutput() -> [UInt8] {
    writer.take(isOpen: closeState == .open)
  }
}
