import FoundationEssentials

/// The values that a type of actions expects, found by letting it decode from a decoder that takes
/// notes: `CodingKeys` can be asked for a name, but not for a list of them.
final class ActionProbe {
  /// A value of a case: `_0`, `_1` … without a label.
  struct Field {
    let label: String
    let type: any Any.Type
  }

  private(set) var fields: [Field] = []
  /// Whether the type asks which case it is, as synthesized enums do.
  fileprivate(set) var isEnum = false
  fileprivate(set) var isKnown = false
  /// Whether more may follow the last field: no value of its type could be made.
  private(set) var isCut = false
  fileprivate let name: String
  /// Types inside of each other; a type may hold itself.
  private let depth: Int
  private static let depthMax = 8

  /// Asks `type` what its case `name` takes.
  init(_ type: any Decodable.Type, case name: String) {
    self.name = name
    depth = 0
    do {
      _ = try type.init(from: ProbeDecoder(probe: self, isNested: false))
    } catch {
      // No value can be made of nothing: only the requests were wanted.
    }
  }

  /// Asks no type itself, and gives every field some value.
  private init(depth: Int) { (name, self.depth) = ("", depth) }

  fileprivate func note<Value: Decodable>(
    _ type: Value.Type, _ label: String
  ) throws -> Value {
    fields.append(Field(label: label, type: type))
    if let first = (type as? any CaseIterable.Type)?.first as? Value { return first }
    for text in Self.samples {
      do { return try JSONDecoder().decode(type, from: Data(text.utf8)) } catch { continue }
    }
    do {
      guard depth < Self.depthMax else { throw Unmade() }
      return try type.init(
        from: ProbeDecoder(probe: ActionProbe(depth: depth + 1), isNested: true))
    } catch {
      isCut = true
      throw error
    }
  }

  /// Samples of which most types can be made: texts, numbers, collections and ids.
  private static let samples = [
    "\"\"", "0", "false", "[]", "{}", "\"00000000-0000-0000-0000-000000000000\"",
  ]
}

/// There is no value to go on with.
private struct Unmade: Error {}

extension CaseIterable {
  fileprivate static var first: Any? { allCases.first }
}

private struct ProbeDecoder: Decoder {
  let probe: ActionProbe
  let isNested: Bool
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(ProbeContainer(probe: probe, isNested: isNested))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Unmade() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Unmade() }
}

/// Of the whole, the name of the case is its only key; nested, it notes the requests.
private struct ProbeContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let probe: ActionProbe
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

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(type, key) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(type, key) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try value(type, key) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try value(type, key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try value(type, key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try value(type, key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try value(type, key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try value(type, key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try value(type, key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try value(type, key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try value(type, key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try value(type, key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try value(type, key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try value(type, key) }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try value(type, key)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedDecodingContainer<Nested> {
    KeyedDecodingContainer(ProbeContainer<Nested>(probe: probe, isNested: true))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw Unmade()
  }
  func superDecoder() throws -> any Decoder { throw Unmade() }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw Unmade() }
}
