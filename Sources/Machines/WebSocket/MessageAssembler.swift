/// Puts a message together from its fragments (RFC 6455 §5.4).
struct MessageAssembler {
  private let limit: Int
  private var kind: Opcode?
  private var bytes: [UInt8] = []
  private var validator = UTF8Validator()

  init(limit: Int) {
    self.limit = limit
  }

  /// Octets of memory that the unfinished message takes.
  var memorySize: Int { bytes.capacity }

  /// Whether a first fragment came and the last one did not.
  var isInMessage: Bool { kind != nil }

  /// Begins or goes on with a message.
  /// - Throws: `tooBig` before any of the fragment has come.
  mutating func begin(_ header: FrameHeader) throws(ConnectionFailure) {
    if kind == nil { kind = header.opcode }
    guard header.length <= limit - bytes.count else { throw .tooBig }
  }

  /// - Throws: `badText` at the first byte that no text can have there.
  mutating func append(_ chunk: ArraySlice<UInt8>, unmasking mask: inout Mask?)
    throws(ConnectionFailure)
  {
    let start = bytes.count
    bytes += chunk
    mask?.apply(to: &bytes, from: start)
    guard kind == .text else { return }
    guard validator.accept(bytes[start...]) else { throw .badText }
  }

  /// - Throws: `badText` if the text ends inside a character.
  mutating func finish() throws(ConnectionFailure) -> WebSocketConnection.Event {
    defer { self = MessageAssembler(limit: limit) }
    guard kind == .text else { return .binary(bytes) }
    guard validator.isComplete else { throw .badText }
    return .text(String(decoding: bytes, as: UTF8.self))
  }
}
