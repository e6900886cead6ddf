// Bytes and what they are: Protocol.md §8.2.

/// Types for which a number stands, from 128 on. The order is the wire's: append only.
private let knownTypes = ["application/json", "application/octet-stream", "text/plain"]
private let firstKnownType: UInt8 = 128
/// Bytes without a type have the name for unknown bytes.
private let unknownType = knownTypes[1]

/// Beside a type: the bytes are a delta.
private let deltaBit: UInt8 = 64

/// The fields before the bytes of a content.
struct ContentHead {
  let type: String
  /// Whether the bytes are a delta from another content.
  let isDelta: Bool
  /// Octets that follow.
  let size: Int
}

extension ByteWriter {
  /// Writes the fields before the bytes of a content, if there is one.
  mutating func contentHead(_ content: Content?, isDelta: Bool) {
    guard let content, !content.type.isEmpty || !content.bytes.isEmpty else {
      return integer(UInt8(0))
    }
    let clipped = content.type.clipped(toUTF8: Limits.contentTypeSizeMax)
    let type = clipped.isEmpty ? unknownType : clipped
    let bit = isDelta ? deltaBit : 0
    if let index = knownTypes.firstIndex(of: type) {
      integer(firstKnownType + UInt8(index) | bit)
    } else {
      integer(UInt8(type.utf8.count) | bit)
      append(text: type)
    }
    number(UInt64(content.bytes.count))
  }
}

extension ByteReader {
  mutating func content(_ head: ContentHead?, _ field: String) throws(WireError) -> Content? {
    guard let head else { return nil }
    return Content(type: head.type, bytes: try bytes(head.size, field))
  }

  /// Nil if there is no content.
  mutating func contentHead(_ field: String) throws(WireError) -> ContentHead? {
    let octet = try integer(field, as: UInt8.self)
    guard octet != 0 else { return nil }
    let type = try contentType(octet & ~deltaBit, field)
    return ContentHead(
      type: type, isDelta: octet & deltaBit != 0,
      size: try size(field, max: Limits.contentSizeMax))
  }

  private mutating func contentType(_ code: UInt8, _ field: String) throws(WireError) -> String {
    if code >= firstKnownType {
      let index = Int(code - firstKnownType)
      // A type of a later version is not known here.
      return index < knownTypes.count ? knownTypes[index] : unknownType
    }
    guard code > 0 else { throw .invalid(field: field) }
    return try text(field, size: Int(code))
  }
}
