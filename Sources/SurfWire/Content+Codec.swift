// Bytes and what they are: Protocol.md §8.2.

/// Types for which a number stands, from 128 on. The order is the wire's: append only.
private let knownTypes = ["application/json", "application/octet-stream", "text/plain"]
private let firstKnownType: UInt8 = 128
/// Of bytes without a type nothing is known, and there is a name for it.
private let unknownType = knownTypes[1]

extension ByteWriter {
  /// What precedes the bytes of a content, if there is one.
  mutating func contentHead(_ content: Content?) {
    guard let content, !content.type.isEmpty || !content.bytes.isEmpty else {
      return integer(UInt8(0))
    }
    let type = content.type.isEmpty ? unknownType : content.type
    if let index = knownTypes.firstIndex(of: type) {
      integer(firstKnownType + UInt8(index))
    } else {
      text(type, length: UInt8.self, max: Limits.contentTypeSizeMax)
    }
    number(UInt64(content.bytes.count))
  }
}

extension ByteReader {
  mutating func content(_ field: String) throws(WireError) -> Content? {
    guard let (type, size) = try contentHead(field) else { return nil }
    return Content(type: type, bytes: try bytes(size, field))
  }

  /// The type of a content and the number of its bytes; nil for none.
  mutating func contentHead(_ field: String) throws(WireError) -> (type: String, size: Int)? {
    let code = try integer(field, as: UInt8.self)
    guard code != 0 else { return nil }
    let type = try contentType(code, field)
    return (type, try size(field, max: Limits.contentSizeMax))
  }

  private mutating func contentType(_ code: UInt8, _ field: String) throws(WireError) -> String {
    if code >= firstKnownType {
      let index = Int(code - firstKnownType)
      return index < knownTypes.count ? knownTypes[index] : unknownType
    }
    let size = Int(code)
    guard size <= Limits.contentTypeSizeMax else {
      throw .beyondLimit(field: field, value: size, limit: Limits.contentTypeSizeMax)
    }
    return try text(field, size: size)
  }
}
