/// Passes everything on, and wraps values that may hold more as `GuardedValue`.
struct GuardedEncoder: Encoder {
  let base: any Encoder
  let walk: Walk

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedGuard(base: base.container(keyedBy: type), walk: walk))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    UnkeyedGuard(base: base.unkeyedContainer(), walk: walk)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleGuard(base: base.singleValueContainer(), walk: walk)
  }
}

/// An object that is written.
struct KeyedGuard<Key: CodingKey>: KeyedEncodingContainerProtocol {
  var base: KeyedEncodingContainer<Key>
  let walk: Walk

  var codingPath: [any CodingKey] { base.codingPath }

  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    if walk.isLeaf(value) { return try base.encode(value, forKey: key) }
    try base.encode(GuardedValue(value: value, walk: walk.entered()), forKey: key)
  }

  mutating func nestedContainer<Other>(
    keyedBy type: Other.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Other> {
    guard let walk = walk.deeper else { return RefusingEncoder().container(keyedBy: type) }
    return KeyedEncodingContainer(
      KeyedGuard<Other>(base: base.nestedContainer(keyedBy: type, forKey: key), walk: walk))
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    guard let walk = walk.deeper else { return RefusingEncoder() }
    return UnkeyedGuard(base: base.nestedUnkeyedContainer(forKey: key), walk: walk)
  }

  mutating func superEncoder() -> any Encoder {
    guard let walk = walk.deeper else { return RefusingEncoder() }
    return GuardedEncoder(base: base.superEncoder(), walk: walk)
  }

  mutating func superEncoder(forKey key: Key) -> any Encoder {
    guard let walk = walk.deeper else { return RefusingEncoder() }
    return GuardedEncoder(base: base.superEncoder(forKey: key), walk: walk)
  }

  mutating func encodeNil(forKey key: Key) throws { try base.encodeNil(forKey: key) }
  mutating func encode(_ value: Bool, forKey key: Key) throws {
    try base.encode(value, forKey: key)
  }
  mutating func encode(_ value: String, forKey key: Key) throws {
    try base.encode(value, forKey: key)
  }
  mutating func encode(_ value: Double, forKey key: Key) throws {
    try base.encode(value, forKey: key)
  }
  mutating func encode(_ value: Float, forKey key: Key) throws {
    try base.encode(value, forKey: key)
  }
  mutating func encode(_ value: Int, forKey key: Key) throws { try base.encode(value, forKey: key) }
  mutating func encode(_ value: Int8, forKey key: Key) throws {
    try base.encode(value, forKey: key)
  }
  mutating func encode(_ value: Int16, forKey key: Key) throws {
    try base.encode(value, forKey: key)
  }
  mutating func encode(_ value: Int32, forKey key: Key) throws {
    try base.encode(value, forKey: key)
  }
  mutating func encode(_ value: Int64, forKey key: Key) throws {
    try base.encode(value, forKey: key)
  }
  mutating func encode(_ value: UInt, forKey key: Key) throws {
    try base.encode(value, forKey: key)
  }
  mutating func encode(_ value: UInt8, forKey key: Key) throws {
    try base.encode(value, forKey: key)
  }
  mutating func encode(_ value: UInt16, forKey key: Key) throws {
    try base.encode(value, forKey: key)
  }
  mutating func encode(_ value: UInt32, forKey key: Key) throws {
    try base.encode(value, forKey: key)
  }
  mutating func encode(_ value: UInt64, forKey key: Key) throws {
    try base.encode(value, forKey: key)
  }
}

/// An array that is written.
struct UnkeyedGuard: UnkeyedEncodingContainer {
  var base: any UnkeyedEncodingContainer
  let walk: Walk

  var codingPath: [any CodingKey] { base.codingPath }
  var count: Int { base.count }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    if walk.isLeaf(value) { return try base.encode(value) }
    try base.encode(GuardedValue(value: value, walk: walk.entered()))
  }

  mutating func nestedContainer<Other>(
    keyedBy type: Other.Type
  ) -> KeyedEncodingContainer<Other> {
    guard let walk = walk.deeper else { return RefusingEncoder().container(keyedBy: type) }
    return KeyedEncodingContainer(
      KeyedGuard<Other>(base: base.nestedContainer(keyedBy: type), walk: walk))
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    guard let walk = walk.deeper else { return RefusingEncoder() }
    return UnkeyedGuard(base: base.nestedUnkeyedContainer(), walk: walk)
  }

  mutating func superEncoder() -> any Encoder {
    guard let walk = walk.deeper else { return RefusingEncoder() }
    return GuardedEncoder(base: base.superEncoder(), walk: walk)
  }

  mutating func encodeNil() throws { try base.encodeNil() }
  mutating func encode(_ value: Bool) throws { try base.encode(value) }
  mutating func encode(_ value: String) throws { try base.encode(value) }
  mutating func encode(_ value: Double) throws { try base.encode(value) }
  mutating func encode(_ value: Float) throws { try base.encode(value) }
  mutating func encode(_ value: Int) throws { try base.encode(value) }
  mutating func encode(_ value: Int8) throws { try base.encode(value) }
  mutating func encode(_ value: Int16) throws { try base.encode(value) }
  mutating func encode(_ value: Int32) throws { try base.encode(value) }
  mutating func encode(_ value: Int64) throws { try base.encode(value) }
  mutating func encode(_ value: UInt) throws { try base.encode(value) }
  mutating func encode(_ value: UInt8) throws { try base.encode(value) }
  mutating func encode(_ value: UInt16) throws { try base.encode(value) }
  mutating func encode(_ value: UInt32) throws { try base.encode(value) }
  mutating func encode(_ value: UInt64) throws { try base.encode(value) }
}

/// A value that is written in the place of another.
struct SingleGuard: SingleValueEncodingContainer {
  var base: any SingleValueEncodingContainer
  let walk: Walk

  var codingPath: [any CodingKey] { base.codingPath }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    if walk.isLeaf(value) { return try base.encode(value) }
    try base.encode(GuardedValue(value: value, walk: walk.entered()))
  }

  mutating func encodeNil() throws { try base.encodeNil() }
  mutating func encode(_ value: Bool) throws { try base.encode(value) }
  mutating func encode(_ value: String) throws { try base.encode(value) }
  mutating func encode(_ value: Double) throws { try base.encode(value) }
  mutating func encode(_ value: Float) throws { try base.encode(value) }
  mutating func encode(_ value: Int) throws { try base.encode(value) }
  mutating func encode(_ value: Int8) throws { try base.encode(value) }
  mutating func encode(_ value: Int16) throws { try base.encode(value) }
  mutating func encode(_ value: Int32) throws { try base.encode(value) }
  mutating func encode(_ value: Int64) throws { try base.encode(value) }
  mutating func encode(_ value: UInt) throws { try base.encode(value) }
  mutating func encode(_ value: UInt8) throws { try base.encode(value) }
  mutating func encode(_ value: UInt16) throws { try base.encode(value) }
  mutating func encode(_ value: UInt32) throws { try base.encode(value) }
  mutating func encode(_ value: UInt64) throws { try base.encode(value) }
}
