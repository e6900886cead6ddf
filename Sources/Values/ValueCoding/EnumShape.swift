/// What a synthesized enum writes (SE-0295): the name of its case, and its values by their keys.
///
/// It writes them as people do: `"clear"`, `{"add":"milk"}`, `{"edit":[1,"x"]}`,
/// `{"move":{"from":1,"to":2}}`.
final class EnumShape {
  fileprivate(set) var name: String?
  fileprivate(set) var fields: [(key: String, value: (any Encodable)?)] = []
  fileprivate var isOther = false

  /// The shape of `value`; nil if it is no enum, or writes itself in another way.
  init?(_ value: some Encodable) {
    guard Mirror(reflecting: value).displayStyle == .enum else { return nil }
    // An error means the same as another shape: the value is then encoded by itself.
    do { try value.encode(to: ShapeEncoder(shape: self)) } catch { return nil }
    guard !isOther, name != nil else { return nil }
  }

  func encode(to encoder: some Encoder) throws {
    let name = KeyText(stringValue: name ?? "")
    guard !fields.isEmpty else {
      var container = encoder.singleValueContainer()
      return try container.encode(name.stringValue)
    }
    var container = encoder.container(keyedBy: KeyText.self)
    let keys = fields.map(\.key)
    if keys == ["_0"] {
      try container.put(fields[0].value, forKey: name)
    } else if keys == keys.indices.map({ "_\($0)" }) {
      var list = container.nestedUnkeyedContainer(forKey: name)
      for field in fields {
        if let value = field.value { try list.encode(value) } else { try list.encodeNil() }
      }
    } else {
      var values = container.nestedContainer(keyedBy: KeyText.self, forKey: name)
      for field in fields { try values.put(field.value, forKey: KeyText(stringValue: field.key)) }
    }
  }
}

extension KeyedEncodingContainer {
  fileprivate mutating func put(_ value: (any Encodable)?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
  }
}

/// Takes notes of the two outer levels, and looks no deeper.
private struct ShapeEncoder: Encoder {
  let shape: EnumShape
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(ShapeObject(shape: shape, isCase: true))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { shape.refusing }
  func singleValueContainer() -> any SingleValueEncodingContainer { shape.refusing }
}

/// Ends the look at a value that is no such enum.
private struct OtherShape: Error {}

extension EnumShape {
  fileprivate var refusing: RefusingEncoder {
    isOther = true
    return RefusingEncoder(error: OtherShape())
  }
}

/// The object whose only key is the case, or the object of its values.
private struct ShapeObject<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let shape: EnumShape
  let isCase: Bool
  var codingPath: [any CodingKey] { [] }

  private func note(_ value: (any Encodable)?, _ key: Key) throws {
    if isCase { shape.isOther = true }
    shape.fields.append((key.stringValue, value))
  }

  func encodeNil(forKey key: Key) throws { try note(nil, key) }
  func encode(_ value: some Encodable, forKey key: Key) throws { try note(value, key) }

  func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) throws { try note(value, key) }

  func nestedContainer<Other>(
    keyedBy type: Other.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Other> {
    guard isCase, shape.name == nil else { return shape.refusing.container(keyedBy: type) }
    shape.name = key.stringValue
    return KeyedEncodingContainer(ShapeObject<Other>(shape: shape, isCase: false))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { shape.refusing }
  func superEncoder() -> any Encoder { shape.refusing }
  func superEncoder(forKey key: Key) -> any Encoder { shape.refusing }
}

/// An absent value is written too, so that the others keep their places. For these types the
/// default comes before the generic one above.
extension ShapeObject {
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try note(value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try note(value, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try note(value, key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try note(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try note(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try note(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try note(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try note(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try note(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try note(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try note(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try note(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try note(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try note(value, key) }
}
