import JSONTree

// For the errors of `RelayLink`, which an app shows. The gateway ends its sessions without a text.
extension SocketIOClosing: CustomStringConvertible {
  /// Why it ended, or the side that ended it.
  package var description: String {
    switch self {
    case .invalidPacket(let error): "invalid data: \(error)"
    case .connectTimeout: "no namespace was connected in time"
    case .refused(let reason):
      "the connection was refused: \(Self.words(of: reason).prefix(200))"
    case .disconnected: "the server ended the connection"
    case .closedLocally: "it was ended here"
    case .engine(let closing): "\(closing)"
    }
  }

  /// Servers send `{"message":"…"}`, or in earlier versions a string.
  private static func words(of reason: JSON) -> String {
    reason.string ?? reason["message"]?.string ?? reason.text()
  }
}

extension EngineIOClosing: CustomStringConvertible {
  package var description: String {
    switch self {
    case .closedByPeer: "the other side ended it"
    case .closedLocally: "it was ended here"
    case .transportClosed: "the connection was lost"
    case .pingTimeout: "the other side fell silent"
    case .overlappingPoll: "two polls at the same time"
    case .payloadTooLarge: "too much came at once"
    case .queueTooLarge: "the other side has stopped reading"
    case .invalidPacket(let error): "invalid data: \(error)"
    case .invalidHandshake: "no valid handshake arrived"
    }
  }
}

extension EngineIOError: CustomStringConvertible {
  /// For people, after "invalid data".
  package var description: String {
    switch self {
    case .emptyPacket: "an empty packet"
    case .unknownPacketType(let type): "no packet begins with byte \(type)"
    case .invalidUTF8: "text that is not UTF-8"
    case .invalidBase64: "bytes that are not base64"
    case .unexpectedPacket: "a packet that may not come here"
    }
  }
}

extension SocketIOError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .emptyPacket: "an empty packet"
    case .unknownPacketType(let type): "no packet begins with byte \(type)"
    case .invalidAttachmentCount: "no number of attachments"
    case .tooManyAttachments: "too many attachments"
    case .invalidAcknowledgementID: "an invalid or unexpected id"
    case .invalidJSON(let error): "not JSON: \(error)"
    case .invalidPayload: "JSON that does not fit its packet"
    case .invalidPlaceholder: "a reference to an attachment that is missing or used already"
    case .missingAttachment: "a text instead of an attachment"
    case .unexpectedAttachment: "an attachment that nobody waits for"
    case .notConnected: "a packet for a namespace that is not connected"
    case .unexpectedPacket: "a packet that may not come here"
    }
  }
}
