/// Takes the place of a container that would be nested too deep: accepts no values, and has no end.
struct RefusingEncoder: Encoder, UnkeyedEncodingContainer, SingleValueEncodingContainer {
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  var count: Int { 0 }

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(RefusingObject())
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() throws { throw TooDeep() }
  func encode(_ value: some Encodable) throws { throw TooDeep() }

  func nestedContainer<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func superEncoder() -> any Encoder { self }
}

private struct RefusingObject<Key: CodingKey>: KeyedEncodingContainerProtocol {
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws { throw TooDeep() }
  func encode(_ value: some Encodable, forKey key: Key) throws { throw TooDeep() }

  func nestedContainer<Other>(
    keyedBy type: Other.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Other> {
    RefusingEncoder().container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { RefusingEncoder() }
  func superEncoder() -> any Encoder { RefusingEncoder() }
  func superEncoder(forKey key: Key) -> any Encoder { RefusingEncoder() }
}
