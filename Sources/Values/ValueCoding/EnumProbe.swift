import FoundationEssentials

/// Finds out what a case of an enum takes, by decoding the type from a decoder that notes all
/// requests. `CodingKeys` can be asked for a name, but cannot list its names. `EnumReader` and the
/// forms of actions use it.
package final class EnumProbe {
  /// A value of a case. Its label is `_0`, `_1` … if it has none.
  package struct Field {
    package let label: String
    package let type: any Any.Type
  }

  package private(set) var fields: [Field] = []
  /// Whether the type asks which case it is, as synthesized enums do.
  package fileprivate(set) var isEnum = false
  package fileprivate(set) var isKnown = false
  /// Whether the type knows a case of this name, and looks for its values (SE-0295).
  fileprivate(set) var isCase = false
  /// Whether the type decodes a single value, as an enum with raw values does.
  fileprivate(set) var isSingle = false
  /// Whether fields may be missing after the last one, because no value of its type could be made.
  package private(set) var isCut = false
  /// Whether to stop at the first value.
  private let isGlance: Bool
  fileprivate let name: String
  /// Types nested in each other; a type may contain itself.
  private let depth: Int
  private static let depthMax = 8

  /// Finds out which values the case `name` of `type` takes.
  package convenience init(_ type: any Decodable.Type, case name: String) {
    self.init(type, name, isGlance: false)
  }

  /// Finds out only whether `type` has the case.
  convenience init(glanceAt type: any Decodable.Type, case name: String) {
    self.init(type, name, isGlance: true)
  }

  private init(_ type: any Decodable.Type, _ name: String, isGlance: Bool) {
    self.name = name
    self.isGlance = isGlance
    depth = 0
    do {
      _ = try type.init(from: ProbeDecoder(probe: self, isNested: false))
    } catch {
      // Expected: there is no input. Only the requests matter.
    }
  }

  /// For a nested type: gives every field some value.
  private init(depth: Int) { (name, self.depth, isGlance) = ("", depth, false) }

  fileprivate func note<Value: Decodable>(
    _ type: Value.Type, _ label: String
  ) throws -> Value {
    fields.append(Field(label: label, type: type))
    guard !isGlance else { throw Unmade() }
    if let first = (type as? any CaseIterable.Type)?.first as? Value { return first }
    for text in Self.samples {
      do { return try JSONDecoder().decode(type, from: Data(text.utf8)) } catch { continue }
    }
    do {
      guard depth < Self.depthMax else { throw Unmade() }
      return try type.init(
        from: ProbeDecoder(probe: EnumProbe(depth: depth + 1), isNested: true))
    } catch {
      isCut = true
      throw error
    }
  }

  /// JSON that most types can decode: texts, numbers, collections and ids.
  private static let samples = [
    "\"\"", "0", "false", "[]", "{}", "\"00000000-0000-0000-0000-000000000000\"",
  ]
}

/// Stops decoding: there is no value to return.
private struct Unmade: Error {}

extension CaseIterable {
  fileprivate static var first: Any? { allCases.first }
}

private struct ProbeDecoder: Decoder {
  let probe: EnumProbe
  let isNested: Bool
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(ProbeContainer(probe: probe, isNested: isNested))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Unmade() }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    if !isNested { probe.isSingle = true }
    throw Unmade()
  }
}

/// At the outer level, an object whose only key is the case's name. Nested, it notes the requests.
private struct ProbeContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let probe: EnumProbe
  let isNested: Bool
  var codingPath: [any CodingKey] { [] }

  var allKeys: [Key] {
    guard !isNested else { return [] }
    let key = Key(stringValue: probe.name)
    (probe.isEnum, probe.isKnown) = (true, key != nil)
    return key.map { [$0] } ?? []
  }

  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) -> Bool { false }

  private func value<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value {
    guard isNested else { throw Unmade() }
    return try probe.note(type, key.stringValue)
  }

  // For these two types the standard library's own methods, which throw, win over a generic one.
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try value(type, key) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try value(type, key) }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try value(type, key)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedDecodingContainer<Nested> {
    if !isNested, key.stringValue == probe.name { probe.isCase = true }
    return KeyedDecodingContainer(ProbeContainer<Nested>(probe: probe, isNested: true))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw Unmade()
  }
  func superDecoder() throws -> any Decoder { throw Unmade() }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw Unmade() }
}
