/// Assembles a message from its fragments, for `WebSocketConnection` (RFC 6455 §5.4).
struct MessageAssembler {
  private let limit: Int
  private var kind: Opcode?
  private var bytes: [UInt8] = []
  private var validator = UTF8Validator()

  init(limit: Int) {
    self.limit = limit
  }

  /// The memory of the incomplete message, in octets.
  var memorySize: Int { bytes.capacity }

  /// Whether a fragmented message has begun and not ended.
  var isInMessage: Bool { kind != nil }

  /// Begins or continues a message.
  /// - Throws: `tooBig` if the fragment's header announces too much.
  mutating func begin(_ header: FrameHeader) throws(ConnectionFailure) {
    if kind == nil { kind = header.opcode }
    guard header.length <= limit - bytes.count else { throw .tooBig }
  }

  /// - Throws: `badText` at the first byte that is invalid there.
  mutating func append(_ chunk: ArraySlice<UInt8>, unmasking mask: inout Mask?)
    throws(ConnectionFailure)
  {
    let start = bytes.count
    bytes += chunk
    mask?.apply(to: &bytes, from: start)
    guard kind == .text else { return }
    guard validator.accept(bytes[start...]) else { throw .badText }
  }

  /// - Throws: `badText` if the text ends in the middle of a character.
  mutating func finish() throws(ConnectionFailure) -> WebSocketConnection.Event {
    defer { self = MessageAssembler(limit: limit) }
    guard kind == .text else { return .binary(bytes) }
    guard validator.isComplete else { throw .badText }
    return .text(String(decoding: bytes, as: UTF8.self))
  }
}

/// Validates UTF-8 in pieces, and stops at the first invalid byte (RFC 3629 §4).
package struct UTF8Validator {
  /// The bytes of an incomplete character.
  private var rest: [UInt8] = []

  /// Whether the text may end here.
  package var isComplete: Bool { rest.isEmpty }

  package init() {}

  /// Returns false if no text starts with the bytes so far. Do not use the validator after that.
  package mutating func accept(_ bytes: ArraySlice<UInt8>) -> Bool {
    let bytes = rest + bytes
    rest = []
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
      return true
    } catch {
      guard error.kind == .truncatedScalar, error.byteOffsets.upperBound == bytes.count else {
        return false
      }
      rest = Array(bytes[error.byteOffsets.lowerBound...])
      return true
    }
  }
}
