import FoundationEssentials
import JSONTree

/// Decodes actions: enums as `EnumShape` writes them, and as the compiler does (SE-0295).
///
/// The type's cases and labels, found by `EnumProbe`, decide what JSON means. A failed attempt to
/// decode decides only what `{}` means.
struct EnumReader: Decoder {
  let json: JSON
  let coder: ValueCoder
  var codingPath: [any CodingKey] = []
  /// The case to decode; nil if the value is not a case.
  private var chosen: ChosenCase?

  init(json: JSON, coder: ValueCoder, codingPath: [any CodingKey] = []) {
    (self.json, self.coder, self.codingPath) = (json, coder, codingPath)
  }

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    if let chosen { return KeyedDecodingContainer(CaseName(chosen: chosen, reader: self)) }
    guard case .object(let object) = json else { throw mismatch("an object") }
    return KeyedDecodingContainer(ObjectReader(object: object, reader: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let elements = json.array else { throw mismatch("an array") }
    return ArrayReader(elements: elements, reader: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { ValueReader(reader: self) }

  func reader(of json: JSON, at key: any CodingKey) -> EnumReader {
    EnumReader(json: json, coder: coder, codingPath: codingPath + [key])
  }

  func mismatch(_ expected: String) -> DecodingError { fault("it is not \(expected)") }

  func fault(_ words: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: words))
  }

  func missing(_ key: any CodingKey) -> DecodingError {
    .keyNotFound(
      key, DecodingError.Context(codingPath: codingPath, debugDescription: "it is missing"))
  }
}

extension EnumReader {
  /// A whole action, also as Redux writes it: `{"type":"count.add","payload":2}` is the case `add`
  /// in the case `count`.
  func action<Action: Decodable>(_ type: Action.Type) throws -> Action {
    guard case .object(let object) = json, let name = object["type"]?.string else {
      return try valueOrPath(type)
    }
    let others = JSONObject(object.members.filter { $0.key != "type" })
    var payload: JSON? = others.members.isEmpty ? nil : .object(others)
    if others.members.count == 1, let only = others["payload"] { payload = only }
    if let reader = reader(of: name, payload, in: type) { return try reader.own(type) }
    let probe = EnumProbe(glanceAt: type, case: "type")
    // `EnumShape` writes a case named `type` with `_0`, so that it cannot be mistaken for this
    // form.
    if probe.isCase { throw fault("there is no case \(name)") }
    guard probe.isSingle, payload == nil else { return try value(type) }
    return try EnumReader(json: .string(name), coder: coder).value(type)
  }

  /// `"count.add"` and `{"count.add":2}` are nested cases.
  private func valueOrPath<Action: Decodable>(_ type: Action.Type) throws -> Action {
    var reader: EnumReader?
    switch json {
    case .string(let word): reader = self.reader(of: word, nil, in: type)
    case .object(let object) where object.members.count == 1:
      reader = self.reader(of: object.members[0].key, object.members[0].value, in: type)
    default: break
    }
    return try reader.map { try $0.own(type) } ?? value(type)
  }

  /// A reader of the case with this name or path; nil if the type does not have it.
  private func reader(
    of path: String, _ values: JSON?, in type: any Decodable.Type
  ) -> EnumReader? {
    if let reader = choosing(path, values, in: type) { return reader }
    var names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard names.count > 1 else { return nil }
    let (first, last) = (names.removeFirst(), names.removeLast())
    let innermost: JSON = values.map { [last: $0] } ?? .string(last)
    return choosing(first, names.reversed().reduce(innermost) { [$1: $0] }, in: type)
  }

  private func choosing(
    _ name: String, _ values: JSON?, in type: any Decodable.Type
  ) -> EnumReader? {
    guard EnumProbe(glanceAt: type, case: name).isCase else { return nil }
    var reader = self
    reader.chosen = ChosenCase(name: name, values: values, type: type)
    return reader
  }

  func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let value = plain(type) { return value }
    if isLeaf(type) { return try coder.decode(type, from: Data(json.bytes())) }
    if coder.hasTextKeys, let dictionary = type as? any TextKeyed.Type,
      let value = try dictionary.decoded(from: self) as? Value
    {
      return value
    }
    return switch json {
    case .string(let word): try (choosing(word, nil, in: type) ?? self).own(type)
    case .object(let object) where object.members.count == 1:
      try (choosing(object.members[0].key, object.members[0].value, in: type) ?? self).own(type)
    default: try own(type)
    }
  }

  /// A dictionary's key, which is never read as the short form of a case.
  func key<Key: Decodable>(_ type: Key.Type) throws -> Key {
    if let value = plain(type) { return value }
    return isLeaf(type) ? try coder.decode(type, from: Data(json.bytes())) : try own(type)
  }

  /// Most leaves are texts or numbers, which need no detour through `JSONDecoder`.
  private func plain<Value>(_ type: Value.Type) -> Value? {
    switch json {
    case .string(let text) where type == String.self: text as? Value
    case .bool(let flag) where type == Bool.self: flag as? Value
    case .number(let number) where type == Int.self: number.integer as? Value
    default: nil
    }
  }

  /// Lets the type decode itself from this reader.
  private func own<Value: Decodable>(_ type: Value.Type) throws -> Value {
    // `type` may be a subclass of `Value`.
    let value = try type.init(from: self)
    if let chosen, chosen.isIgnored { throw fault("\(chosen.name) has no values") }
    return value
  }

  /// Whether nothing inside of the type can be an enum.
  private func isLeaf(_ type: any Any.Type) -> Bool {
    type is any DirectValue.Type || type is any BinaryInteger.Type
      || type is any BinaryFloatingPoint.Type
  }
}

/// A case, and the JSON of its values.
private final class ChosenCase {
  let name: String
  let values: JSON?
  private let type: any Decodable.Type
  /// The label of the value that got all of `values`.
  private var taker: String?
  private var isOpened = false

  init(name: String, values: JSON?, type: any Decodable.Type) {
    (self.name, self.values, self.type) = (name, values, type)
  }

  /// Whether values were given but not decoded, because the case has none.
  var isIgnored: Bool { isOpened && taker == nil && values != nil && values != .null }

  /// How the values are written, given the labels of the case.
  fileprivate func form<Key: CodingKey>(_ key: Key.Type, _ reader: EnumReader) throws -> CaseForm {
    isOpened = false
    guard let values else { return .named([:]) }
    let isUnlabelled = Key(stringValue: "_0") != nil
    let hasSeveral = Key(stringValue: "_1") != nil
    switch values {
    case .object(let object):
      let areLabels = object.members.allSatisfy { Key(stringValue: $0.key) != nil }
      if areLabels, !object.members.isEmpty || !isUnlabelled || hasSeveral { return .named(object) }
      guard isUnlabelled ? !hasSeveral : object.members.count == 1 else {
        throw reader.fault("it has members that are not values of \(name)")
      }
    case .null, .bool, .number, .string:
      guard !hasSeveral else { throw reader.mismatch("an array") }
    case .array(let elements):
      let labels = severalLabels(key)
      guard !labels.isEmpty else { break }
      guard elements.count <= labels.count else {
        throw reader.fault("\(name) has \(labels.count) values")
      }
      return .named(
        JSONObject(zip(labels, elements).map { JSONObject.Member(key: $0, value: $1) }))
    }
    isOpened = true
    return .whole(values)
  }

  /// The labels of the values in the order that the type decodes them; none for one value.
  private func severalLabels<Key: CodingKey>(_ key: Key.Type) -> [String] {
    let probe = EnumProbe(type, case: name)
    if !probe.isCut { return probe.fields.count > 1 ? probe.fields.map(\.label) : [] }
    // The probe did not reach the last value. Without labels, the keys can be counted.
    guard Key(stringValue: "_1") != nil else { return [] }
    let count = (0...).first { Key(stringValue: "_\($0)") == nil } ?? 0
    return (0..<count).map { "_\($0)" }
  }

  /// Whether all of `values` may be this one value: if it has no label, or is the only one.
  func isWhole(for label: String) -> Bool {
    if let taker { return taker == label }
    return label == "_0" || EnumProbe(type, case: name).fields.count == 1
  }

  func take(for label: String) -> Bool {
    guard isWhole(for: label) else { return false }
    taker = label
    return true
  }
}

private enum CaseForm {
  case named(JSONObject)
  /// The only value, without a list or a label.
  case whole(JSON)
}

/// The object whose only key is the case.
private struct CaseName<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let chosen: ChosenCase
  let reader: EnumReader

  var codingPath: [any CodingKey] { reader.codingPath }
  var allKeys: [Key] { [Key(stringValue: chosen.name)].compactMap(\.self) }

  func contains(_ key: Key) -> Bool { key.stringValue == chosen.name }
  func decodeNil(forKey key: Key) throws -> Bool { false }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    throw reader.missing(key)
  }

  func nestedContainer<Other>(
    keyedBy type: Other.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Other> {
    guard contains(key) else { throw reader.missing(key) }
    let inner = reader.reader(of: chosen.values ?? [:], at: key)
    return KeyedDecodingContainer(
      CaseReader<Other>(form: try chosen.form(type, inner), chosen: chosen, reader: inner))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw reader.missing(key)
  }

  func superDecoder() throws -> any Decoder { throw reader.mismatch("an object") }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw reader.missing(key) }
}

/// A container that decodes each member from a reader of it.
private protocol MemberReader: KeyedDecodingContainerProtocol {
  var reader: EnumReader { get }
  func inner(_ key: Key) throws -> EnumReader
}

extension MemberReader {
  var codingPath: [any CodingKey] { reader.codingPath }

  func decodeNil(forKey key: Key) throws -> Bool { try inner(key).json == .null }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try inner(key).value(type)
  }

  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try inner(key).value(type) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try inner(key).value(type)
  }

  func nestedContainer<Other>(
    keyedBy type: Other.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Other> {
    try inner(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try inner(key).unkeyedContainer()
  }
}

/// The values of a case by label, or the only value without one.
private struct CaseReader<Key: CodingKey>: MemberReader {
  let form: CaseForm
  let chosen: ChosenCase
  let reader: EnumReader

  var allKeys: [Key] {
    guard case .named(let object) = form else { return [] }
    return object.members.compactMap { Key(stringValue: $0.key) }
  }

  func contains(_ key: Key) -> Bool {
    switch form {
    case .named(let object): object[key.stringValue] != nil
    case .whole: chosen.isWhole(for: key.stringValue)
    }
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    guard contains(key), try !decodeNil(forKey: key) else { return nil }
    guard isEmpty else { return try decode(type, forKey: key) }
    // `{}` is an empty value. If the type cannot decode that, it is the compiler's form of a case
    // whose values are all absent.
    do { return try decode(type, forKey: key) } catch { return nil }
  }

  private var isEmpty: Bool {
    guard case .whole(.object(let object)) = form else { return false }
    return object.members.isEmpty
  }

  func superDecoder() throws -> any Decoder { throw reader.mismatch("an object") }
  func superDecoder(forKey key: Key) throws -> any Decoder { try inner(key) }

  func inner(_ key: Key) throws -> EnumReader {
    let json: JSON? =
      switch form {
      case .named(let object): object[key.stringValue]
      case .whole(let json): chosen.take(for: key.stringValue) ? json : nil
      }
    guard let json else { throw reader.missing(key) }
    return reader.reader(of: json, at: key)
  }
}

/// The standard library has defaults for these types, which would win over the generic method
/// above.
extension CaseReader {
  private func ifPresent<Value: Decodable>(_ key: Key) throws -> Value? {
    guard contains(key), try !decodeNil(forKey: key), !isEmpty else { return nil }
    return try decode(Value.self, forKey: key)
  }

  func decodeIfPresent(_: Bool.Type, forKey key: Key) throws -> Bool? { try ifPresent(key) }
  func decodeIfPresent(_: String.Type, forKey key: Key) throws -> String? { try ifPresent(key) }
  func decodeIfPresent(_: Double.Type, forKey key: Key) throws -> Double? { try ifPresent(key) }
  func decodeIfPresent(_: Float.Type, forKey key: Key) throws -> Float? { try ifPresent(key) }
  func decodeIfPresent(_: Int.Type, forKey key: Key) throws -> Int? { try ifPresent(key) }
  func decodeIfPresent(_: Int8.Type, forKey key: Key) throws -> Int8? { try ifPresent(key) }
  func decodeIfPresent(_: Int16.Type, forKey key: Key) throws -> Int16? { try ifPresent(key) }
  func decodeIfPresent(_: Int32.Type, forKey key: Key) throws -> Int32? { try ifPresent(key) }
  func decodeIfPresent(_: Int64.Type, forKey key: Key) throws -> Int64? { try ifPresent(key) }
  func decodeIfPresent(_: Int128.Type, forKey key: Key) throws -> Int128? { try ifPresent(key) }
  func decodeIfPresent(_: UInt.Type, forKey key: Key) throws -> UInt? { try ifPresent(key) }
  func decodeIfPresent(_: UInt8.Type, forKey key: Key) throws -> UInt8? { try ifPresent(key) }
  func decodeIfPresent(_: UInt16.Type, forKey key: Key) throws -> UInt16? { try ifPresent(key) }
  func decodeIfPresent(_: UInt32.Type, forKey key: Key) throws -> UInt32? { try ifPresent(key) }
  func decodeIfPresent(_: UInt64.Type, forKey key: Key) throws -> UInt64? { try ifPresent(key) }
  func decodeIfPresent(_: UInt128.Type, forKey key: Key) throws -> UInt128? { try ifPresent(key) }
}

private struct ObjectReader<Key: CodingKey>: MemberReader {
  let object: JSONObject
  let reader: EnumReader

  var allKeys: [Key] { object.members.compactMap { Key(stringValue: $0.key) } }

  func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }
  /// As in `JSONDecoder`, a missing value reads as null.
  func superDecoder() throws -> any Decoder {
    reader.reader(of: object["super"] ?? .null, at: NameKey("super"))
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    reader.reader(of: object[key.stringValue] ?? .null, at: key)
  }

  func inner(_ key: Key) throws -> EnumReader {
    guard let json = object[key.stringValue] else { throw reader.missing(key) }
    return reader.reader(of: json, at: key)
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

  mutating func decode(_ type: Int128.Type) throws -> Int128 { try taken().value(type) }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try taken().value(type) }

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
    return reader.reader(of: elements[currentIndex], at: ElementKey(currentIndex))
  }

  private mutating func taken() throws -> EnumReader {
    let next = try next()
    currentIndex += 1
    return next
  }
}

private struct ValueReader: SingleValueDecodingContainer {
  let reader: EnumReader
  var codingPath: [any CodingKey] { reader.codingPath }

  func decodeNil() -> Bool { reader.json == .null }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try reader.value(type) }
  func decode(_ type: Int128.Type) throws -> Int128 { try reader.value(type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try reader.value(type) }
}
