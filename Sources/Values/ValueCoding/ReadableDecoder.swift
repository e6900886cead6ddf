import FoundationEssentials

/// Decodes a value, where dictionaries with any keys may be objects.
struct Readable<Value: Decodable>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws {
    value =
      try Value.self is any DirectValue.Type
      ? decoder.singleValueContainer().decode(Value.self) : decoder.readable(Value.self)
  }
}

extension Decoder {
  /// Decodes a value here. `type` may be a subclass of `Value`.
  fileprivate func readable<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let decoder = ReadableDecoder(base: self)
    if let dictionary = type as? any TextKeyed.Type,
      let value = try dictionary.decoded(from: decoder) as? Value
    {
      return value
    }
    return try type.init(from: decoder)
  }
}

/// Wraps a decoder, so that dictionaries at any depth may be objects.
struct ReadableDecoder: Decoder {
  let base: any Decoder

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(KeyedReader(base: try base.container(keyedBy: type)))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    UnkeyedReader(base: try base.unkeyedContainer())
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    SingleReader(base: try base.singleValueContainer(), decoder: base)
  }
}

struct KeyedReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let base: KeyedDecodingContainer<Key>

  var codingPath: [any CodingKey] { base.codingPath }
  var allKeys: [Key] { base.allKeys }

  func contains(_ key: Key) -> Bool { base.contains(key) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    // Let the base report a missing value.
    guard !(type is any DirectValue.Type), base.contains(key) else {
      return try base.decode(type, forKey: key)
    }
    return try base.superDecoder(forKey: key).readable(type)
  }

  func nestedContainer<Other>(
    keyedBy type: Other.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Other> {
    KeyedDecodingContainer(
      KeyedReader<Other>(base: try base.nestedContainer(keyedBy: type, forKey: key)))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    UnkeyedReader(base: try base.nestedUnkeyedContainer(forKey: key))
  }

  func superDecoder() throws -> any Decoder { ReadableDecoder(base: try base.superDecoder()) }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    ReadableDecoder(base: try base.superDecoder(forKey: key))
  }

  func decodeNil(forKey key: Key) throws -> Bool { try base.decodeNil(forKey: key) }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try base.decode(type, forKey: key)
  }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try base.decode(type, forKey: key)
  }
}

struct UnkeyedReader: UnkeyedDecodingContainer {
  var base: any UnkeyedDecodingContainer

  var codingPath: [any CodingKey] { base.codingPath }
  var count: Int? { base.count }
  var isAtEnd: Bool { base.isAtEnd }
  var currentIndex: Int { base.currentIndex }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    guard !(type is any DirectValue.Type) else { return try base.decode(type) }
    // If decoding fails, the element remains the next one.
    var next = base
    let value = try next.superDecoder().readable(type)
    base = next
    return value
  }

  mutating func nestedContainer<Other>(
    keyedBy type: Other.Type
  ) throws -> KeyedDecodingContainer<Other> {
    KeyedDecodingContainer(KeyedReader<Other>(base: try base.nestedContainer(keyedBy: type)))
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    UnkeyedReader(base: try base.nestedUnkeyedContainer())
  }

  mutating func superDecoder() throws -> any Decoder {
    ReadableDecoder(base: try base.superDecoder())
  }

  mutating func decodeNil() throws -> Bool { try base.decodeNil() }
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try base.decode(type) }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try base.decode(type) }
}

struct SingleReader: SingleValueDecodingContainer {
  let base: any SingleValueDecodingContainer
  let decoder: any Decoder

  var codingPath: [any CodingKey] { base.codingPath }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    type is any DirectValue.Type ? try base.decode(type) : try decoder.readable(type)
  }

  func decodeNil() -> Bool { base.decodeNil() }
  func decode(_ type: Int128.Type) throws -> Int128 { try base.decode(type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try base.decode(type) }
}
