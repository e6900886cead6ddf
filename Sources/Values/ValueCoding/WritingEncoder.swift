/// The encoder of one value that `ValueWriter` is writing.
struct WritingEncoder: Encoder {
  let writer: ValueWriter
  let id: Int

  var codingPath: [any CodingKey] { writer.path(of: id) }
  var userInfo: [CodingUserInfoKey: Any] { writer.form.userInfo }

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    do { try writer.open(.object, id) } catch {
      return RefusingEncoder(error: error).container(keyedBy: type)
    }
    return writer.openers.opener(of: type).open(writer, id)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    do { try writer.open(.array, id) } catch { return RefusingEncoder(error: error) }
    return WrittenArray(writer: writer, id: id)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    WrittenPlace(writer: writer, id: id)
  }

  /// An encoder for a container or value that another container opens.
  fileprivate static func nested(_ writer: ValueWriter, _ key: (any CodingKey)?) throws -> Self {
    Self(writer: writer, id: try writer.begin(key, isNested: true))
  }
}

struct WrittenObject<Key: CodingKey>: OpenedObject {
  let writer: ValueWriter
  let id: Int

  var codingPath: [any CodingKey] { writer.path(of: id) }

  func encodeNil(forKey key: Key) throws { try encode(Bool?.none, forKey: key) }

  // For these two types the standard library's own methods, which throw, win over a generic one.
  func encode(_ value: Int128, forKey key: Key) throws { try encode(direct: value, key) }
  func encode(_ value: UInt128, forKey key: Key) throws { try encode(direct: value, key) }

  func encode<Value: DirectValue>(_ value: Value, forKey key: Key) throws {
    try encode(direct: value, key)
  }

  @inline(__always)
  private func encode(direct value: some DirectValue, _ key: Key) throws {
    let mark = try writer.beginMember(key.stringValue, of: id)
    try writer.write(direct: value, at: key, of: id, since: mark)
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    let mark = try writer.beginMember(key.stringValue, of: id)
    try writer.write(value, at: key, of: id, since: mark)
  }

  func nestedContainer<Other>(
    keyedBy type: Other.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Other> {
    superEncoder(forKey: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    superEncoder(forKey: key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { nested(NameKey("super")) }
  func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

  private func nested(_ key: some CodingKey) -> any Encoder {
    do {
      _ = try writer.beginMember(key.stringValue, of: id, isNested: true)
      return try WritingEncoder.nested(writer, key)
    } catch {
      return RefusingEncoder(error: error)
    }
  }
}

struct WrittenArray: UnkeyedEncodingContainer {
  let writer: ValueWriter
  let id: Int

  var codingPath: [any CodingKey] { writer.path(of: id) }
  var count: Int { writer.count(of: id) }

  func encodeNil() throws { try encode(Bool?.none) }

  func encode(_ value: Int128) throws { try encode(direct: value) }
  func encode(_ value: UInt128) throws { try encode(direct: value) }
  func encode<Value: DirectValue>(_ value: Value) throws { try encode(direct: value) }

  @inline(__always)
  private func encode(direct value: some DirectValue) throws {
    let mark = try writer.beginElement(of: id)
    try writer.write(direct: value, at: nil, of: id, since: mark)
  }

  func encode<Value: Encodable>(_ value: Value) throws {
    let mark = try writer.beginElement(of: id)
    try writer.write(value, at: nil, of: id, since: mark)
  }

  func nestedContainer<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    superEncoder().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    superEncoder().unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    do {
      _ = try writer.beginElement(of: id)
      return try WritingEncoder.nested(writer, nil)
    } catch {
      return RefusingEncoder(error: error)
    }
  }
}

/// A value written in place of another.
struct WrittenPlace: SingleValueEncodingContainer {
  let writer: ValueWriter
  let id: Int

  var codingPath: [any CodingKey] { writer.path(of: id) }

  func encodeNil() throws { try encode(Bool?.none) }

  func encode(_ value: Int128) throws { try writer.replace(id, byDirect: value) }
  func encode(_ value: UInt128) throws { try writer.replace(id, byDirect: value) }

  func encode<Value: DirectValue>(_ value: Value) throws {
    try writer.replace(id, byDirect: value)
  }

  func encode<Value: Encodable>(_ value: Value) throws { try writer.replace(id, by: value) }
}

/// Stands in for a container that cannot be opened, because opening cannot throw. Encoding into it,
/// or into any container that it opens, throws `error`.
struct RefusingEncoder: Encoder, UnkeyedEncodingContainer, SingleValueEncodingContainer {
  let error: any Error

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  var count: Int { 0 }

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(RefusingObject(error: error))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() throws { throw error }
  func encode(_ value: some Encodable) throws { throw error }

  func nestedContainer<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func superEncoder() -> any Encoder { self }
}

private struct RefusingObject<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let error: any Error
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws { throw error }
  func encode(_ value: some Encodable, forKey key: Key) throws { throw error }

  func nestedContainer<Other>(
    keyedBy type: Other.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Other> {
    RefusingEncoder(error: error).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    RefusingEncoder(error: error)
  }
  func superEncoder() -> any Encoder { RefusingEncoder(error: error) }
  func superEncoder(forKey key: Key) -> any Encoder { RefusingEncoder(error: error) }
}
