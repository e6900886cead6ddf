/// The case and the values that a synthesized enum encodes (SE-0295), found by encoding it once.
///
/// It then encodes them as people write them: `"clear"`, `{"add":"milk"}`, `{"edit":[1,"x"]}`,
/// `{"move":{"from":1,"to":2}}`. Where that would be ambiguous, it writes a single value as the
/// compiler does: `{"type":{"_0":"x"}}`, which is not a Redux action, and
/// `{"set":{"_0":{"_0":1}}}`.
package final class EnumShape {
  package fileprivate(set) var name: String?
  package fileprivate(set) var fields: [(key: String, value: (any Encodable)?)] = []
  fileprivate var isOther = false

  /// The shape of `value`; nil if it is not an enum, or encodes itself differently.
  package init?(_ value: some Encodable) {
    guard Mirror(reflecting: value).displayStyle == .enum else { return nil }
    // An error means another shape, too: the value then encodes itself.
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
    if keys == ["_0"], !isAmbiguous {
      try container.put(fields[0].value, forKey: name)
    } else if keys == ["_0"] {
      var values = container.nestedContainer(keyedBy: KeyText.self, forKey: name)
      try values.put(fields[0].value, forKey: KeyText(stringValue: "_0"))
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

extension EnumShape {
  /// Whether the only value must not be written without its label.
  private var isAmbiguous: Bool {
    guard name != "type", let value = fields[0].value else { return name == "type" }
    let glance = KeyGlance()
    glance.look(at: value)
    return glance.isFound
  }
}

/// Finds out whether a value is encoded as an object with a member `_0`, without looking deeper.
private final class KeyGlance: Encoder {
  private(set) var isFound = false
  /// How many values have been encoded in place of one another.
  private var depth = 0
  private static let depthMax = 64
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func look(at value: (any Encodable)?) {
    guard let value, !(value is any DirectValue) else { return }
    if let dictionary = value as? any TextKeyed, dictionary.hasKey(written: "_0") {
      isFound = true
      return
    }
    // Too deep to look at, so it may have the member.
    guard depth < Self.depthMax else {
      isFound = true
      return
    }
    depth += 1
    // An error only stops the search.
    do { try value.encode(to: self) } catch {}
  }

  func note(_ key: any CodingKey) throws {
    if key.stringValue == "_0" { isFound = true }
    if isFound { throw OtherShape() }
  }

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(GlanceObject(glance: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { RefusingEncoder(error: OtherShape()) }
  func singleValueContainer() -> any SingleValueEncodingContainer { GlancePlace(glance: self) }
}

private struct GlancePlace: SingleValueEncodingContainer {
  let glance: KeyGlance
  var codingPath: [any CodingKey] { [] }

  func encodeNil() {}
  func encode(_ value: some Encodable) { glance.look(at: value) }
  func encode(_ value: Int128) {}
  func encode(_ value: UInt128) {}
}

private struct GlanceObject<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let glance: KeyGlance
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws { try glance.note(key) }
  func encode(_ value: some Encodable, forKey key: Key) throws { try glance.note(key) }
  func encode(_ value: Int128, forKey key: Key) throws { try glance.note(key) }
  func encode(_ value: UInt128, forKey key: Key) throws { try glance.note(key) }

  private func refusing(_ key: any CodingKey) -> RefusingEncoder {
    do { try glance.note(key) } catch {}
    return RefusingEncoder(error: OtherShape())
  }

  func nestedContainer<Other>(
    keyedBy type: Other.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Other> {
    refusing(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { refusing(key) }
  func superEncoder() -> any Encoder { refusing(NameKey("super")) }
  func superEncoder(forKey key: Key) -> any Encoder { refusing(key) }
}

extension KeyedEncodingContainer {
  fileprivate mutating func put(_ value: (any Encodable)?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
  }
}

/// Notes the two outer levels, and looks no deeper.
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

/// Stops looking at a value that is not such an enum.
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

/// Notes absent values, too, so that the others keep their places. The standard library has
/// defaults for these types, which would win over the generic method above.
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
