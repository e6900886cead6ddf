// Content, bytes with a media type: Protocol.md §8.2.

/// The types that have a number, from 128 on. The order is part of the wire format: append only.
private let knownTypes = ["application/json", "application/octet-stream", "text/plain"]
private let firstKnownType: UInt8 = 128
/// What the writer says for bytes without a type.
private let unknownType = knownTypes[1]

/// Set beside the type if the bytes are a delta.
private let deltaBit: UInt8 = 64

/// The fields before a content's bytes.
struct ContentHead {
  let type: String
  let isDelta: Bool
  /// How many octets follow.
  let size: Int
}

extension ByteWriter {
  /// Writes the fields before a content's bytes, or a zero for no content.
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
      // A later version added this type.
      return index < knownTypes.count ? knownTypes[index] : unknownType
    }
    guard code > 0 else { throw .invalid(field: field) }
    return try text(field, size: Int(code))
  }
}
