import JSONTree

/// The parts of a packet's text: `<type>[<attachments>-][<namespace>,][<id>][<payload>]`
/// (Socket.IO protocol v5, "Format").
struct SocketIOHeader: Sendable {
  enum Kind: UInt8, Sendable {
    case connect, disconnect, event, acknowledgement, connectError, binaryEvent
    case binaryAcknowledgement

    var isBinary: Bool { self == .binaryEvent || self == .binaryAcknowledgement }
  }

  let type: Kind
  let attachmentCount: Int
  let namespace: String
  let id: Int?
  let payload: ArraySlice<UInt8>

  init(parsing text: [UInt8]) throws(SocketIOError) {
    guard let first = text.first else { throw .emptyPacket }
    guard let type = Kind(rawValue: first &- UInt8(ascii: "0")) else {
      throw .unknownPacketType(first)
    }
    self.type = type
    var rest = text.dropFirst()
    attachmentCount = type.isBinary ? try Self.takeAttachmentCount(&rest) : 0
    namespace = Self.takeNamespace(&rest)
    let digits = Self.takeDigits(&rest)
    id = Int(digits)
    guard digits.isEmpty || id != nil else { throw .invalidAcknowledgementID }
    payload = rest
  }

  func json() throws(SocketIOError) -> JSON? {
    guard !payload.isEmpty else { return nil }
    do throws(JSONError) {
      return try JSON(parsing: payload)
    } catch {
      throw .invalidJSON(error)
    }
  }

  private static func takeAttachmentCount(
    _ rest: inout ArraySlice<UInt8>
  ) throws(SocketIOError) -> Int {
    let digits = takeDigits(&rest)
    guard !digits.isEmpty, rest.popFirst() == UInt8(ascii: "-") else {
      throw .invalidAttachmentCount
    }
    // A number too large for `Int` is too many as well.
    guard let count = Int(digits), count <= SocketIODecoder.attachmentCountMax else {
      throw .tooManyAttachments
    }
    return count
  }

  private static func takeNamespace(_ rest: inout ArraySlice<UInt8>) -> String {
    guard rest.first == UInt8(ascii: "/") else { return SocketIOPacket.mainNamespace }
    let name = rest.prefix { $0 != UInt8(ascii: ",") }
    rest = rest.dropFirst(name.count + 1)
    return String(decoding: name, as: UTF8.self)
  }

  private static func takeDigits(_ rest: inout ArraySlice<UInt8>) -> String {
    let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    rest = rest.dropFirst(digits.count)
    return String(decoding: digits, as: UTF8.self)
  }
}
