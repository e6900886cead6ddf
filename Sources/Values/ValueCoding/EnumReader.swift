import FoundationEssentials
import JSONTree

/// Reads the enums that `EnumShape` wrote, and those that the compiler would have (SE-0295).
struct EnumReader: Decoder {
  let json: JSON
  let coder: ValueCoder
  var codingPath: [any CodingKey] = []
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    switch json {
    case .object(let object):
      KeyedDecodingContainer(ObjectReader(object: object, reader: self))
    case .string(let word) where Key(stringValue: word) != nil:
      KeyedDecodingContainer(
        ObjectReader(object: JSONObject([.init(key: word, value: [:])]), reader: self))
    default: throw mismatch("an object")
    }
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let elements = json.array else { throw mismatch("an array") }
    return ArrayReader(elements: elements, reader: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { ValueReader(reader: self) }

  func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    isLeaf(type)
      ? try coder.decode(type, from: Data(json.bytes())) : try Value(from: self)
  }

  /// Whether there is nothing inside that could be an enum.
  private func isLeaf(_ type: any Any.Type) -> Bool {
    type is any DirectValue.Type || type is any BinaryInteger.Type
      || type is any BinaryFloatingPoint.Type
  }

  func reader(of json: JSON, at key: any CodingKey) -> EnumReader {
    EnumReader(json: json, coder: coder, codingPath: codingPath + [key])
  }

  func mismatch(_ expected: String) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(codingPath: codingPath, debugDescription: "it is not \(expected)"))
  }
}

/// An object; a case's values may stand for themselves.
private struct ObjectReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let object: JSONObject
  let reader: EnumReader

  var codingPath: [any CodingKey] { reader.codingPath }
  var allKeys: [Key] { object.members.compactMap { Key(stringValue: $0.key) } }

  func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try inner(key).json == .null }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try inner(key).value(type)
  }

  func nestedContainer<Other>(
    keyedBy type: Other.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Other> {
    KeyedDecodingContainer(CaseReader(reader: try inner(key)))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try inner(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { reader }
  func superDecoder(forKey key: Key) throws -> any Decoder { try inner(key) }

  private func inner(_ key: Key) throws -> EnumReader {
    guard let json = object[key.stringValue] else {
      let context = DecodingError.Context(codingPath: codingPath, debugDescription: "it is missing")
      throw DecodingError.keyNotFound(key, context)
    }
    return reader.reader(of: json, at: key)
  }
}

/// The values of a case: by their keys, in their order, or the only one by itself.
private struct CaseReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let reader: EnumReader

  var codingPath: [any CodingKey] { reader.codingPath }
  var allKeys: [Key] { (reader.json.object?.members ?? []).compactMap { Key(stringValue: $0.key) } }

  func contains(_ key: Key) -> Bool {
    if named(key) != nil || element(key) != nil { return true }
    return key.stringValue == "_0" && reader.json.object?.members.isEmpty != true
  }

  func decodeNil(forKey key: Key) throws -> Bool { (named(key) ?? element(key) ?? json) == .null }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    if let json = named(key) { return try reader.reader(of: json, at: key).value(type) }
    guard let element = element(key) else { return try only(type, key) }
    guard key.stringValue == "_0" else {
      return try reader.reader(of: element, at: key).value(type)
    }
    // One value that is an array, or several.
    do { return try only(type, key) } catch {
      return try reader.reader(of: element, at: key).value(type)
    }
  }

  func nestedContainer<Other>(
    keyedBy type: Other.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Other> {
    try reader.reader(of: named(key) ?? json, at: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try reader.reader(of: named(key) ?? json, at: key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { reader }
  func superDecoder(forKey key: Key) throws -> any Decoder { reader }

  private var json: JSON { reader.json }

  private func named(_ key: Key) -> JSON? { json.object?[key.stringValue] }

  /// The element for `_1`, in an array of several.
  private func element(_ key: Key) -> JSON? {
    guard let elements = json.array, key.stringValue.hasPrefix("_"),
      let index = Int(key.stringValue.dropFirst()), elements.indices.contains(index)
    else { return nil }
    return elements[index]
  }

  /// All of it as one value. A value with a label may only stand for itself if it cannot be taken
  /// for an object of several.
  private func only<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value {
    guard key.stringValue == "_0" || json.object?.members.count ?? 1 == 1 else {
      let context = DecodingError.Context(codingPath: codingPath, debugDescription: "it is missing")
      throw DecodingError.keyNotFound(key, context)
    }
    return try reader.reader(of: json, at: key).value(type)
  }
}

private struct ArrayReader: UnkeyedDecodingContainer {
  let elements: [JSON]
  let reader: EnumReader
  private(set) var currentIndex = 0

  init(elements: [JSON], reader: EnumReader) { (self.elements, self.reader) = (elements, reader) }

  var codingPath: [any CodingKey] { reader.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  mutating func decodeNil() throws -> Bool {
    guard try next().json == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try next().value(type)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Key>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    try taken().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try taken().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { try taken() }

  private func next() throws -> EnumReader {
    guard !isAtEnd else { throw reader.mismatch("long enough") }
    return reader.reader(of: elements[currentIndex], at: KeyText(stringValue: "\(currentIndex)"))
  }

  private mutating func taken() throws -> EnumReader {
    defer { currentIndex += 1 }
    return try next()
  }
}

private struct ValueReader: SingleValueDecodingContainer {
  let reader: EnumReader
  var codingPath: [any CodingKey] { reader.codingPath }

  func decodeNil() -> Bool { reader.json == .null }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try reader.value(type) }
}
