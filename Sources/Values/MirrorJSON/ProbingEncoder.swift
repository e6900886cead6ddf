import FoundationEssentials
import Redaction

/// The findings of a probe so far, shared by all its containers.
final class ProbeState {
  private let depthMax: Int
  private var room: Int
  private(set) var failed = false
  private(set) var isOutOfRoom = false

  /// A probe that fails below `depthMax` levels or beyond about `byteCountMax` bytes.
  init(depthMax: Int, byteCountMax: Int) {
    self.depthMax = depthMax
    room = byteCountMax
  }

  /// A container begins, or a value alone.
  func begin() { room -= 1 }

  /// A key of an object.
  func see(_ key: String) { room -= key.utf8.count + 3 }

  /// A value inside a container at `depth`. Once it has failed, all fails: encoding ends soon, even
  /// if the value's own code ignores errors.
  func encode(_ value: any Encodable, at depth: Int) throws {
    if let byteCount = Self.byteCount(value) {
      room -= byteCount
      try check(depth)
    } else {
      try check(depth + 1)
      try value.encode(to: ProbingEncoder(state: self, depth: depth + 1))
    }
  }

  /// A container begins at `depth`; an empty one would not otherwise report that it is too deep.
  func enter(_ depth: Int) {
    if depth > depthMax { failed = true }
  }

  private func check(_ depth: Int) throws {
    if room < 0 { isOutOfRoom = true }
    failed = failed || isOutOfRoom || depth > depthMax
    if failed { throw ProbeError() }
  }

  /// About how long the text of a value without parts is.
  private static func byteCount(_ value: any Encodable) -> Int? {
    switch value {
    case let value as String: value.utf8.count + 2
    case is Int, is Double, is Bool, is any Numeric: 1
    case let value as Data: value.count / 3 * 4 + 2
    case let value as URL: value.absoluteString.utf8.count + 2
    case is Date, is UUID, is Decimal: 1
    default: nil
    }
  }
}

/// A value is too deep or too long.
private struct ProbeError: Error {}

/// An encoder that writes nothing.
struct ProbingEncoder: Encoder {
  let state: ProbeState
  var depth = 0
  var codingPath: [any CodingKey] { [] }
  /// The text will have marks too.
  var userInfo: [CodingUserInfoKey: Any] { RedactionMark.userInfo }

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    state.begin()
    return KeyedEncodingContainer(ProbeObject<Key>(probe: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    state.begin()
    return ProbeArray(probe: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    state.begin()
    return ProbeValue(probe: self)
  }

  /// The same one level further in.
  var inner: ProbingEncoder {
    state.enter(depth + 1)
    return ProbingEncoder(state: state, depth: depth + 1)
  }
}

private struct ProbeObject<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let probe: ProbingEncoder
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws {
    try encode(false, forKey: key)
  }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    probe.state.see(key.stringValue)
    try probe.state.encode(value, at: probe.depth)
  }

  func nestedContainer<Nested>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    probe.state.see(key.stringValue)
    return probe.inner.container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    probe.state.see(key.stringValue)
    return probe.inner.unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    probe.state.see("super")
    return probe.inner
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    probe.state.see(key.stringValue)
    return probe.inner
  }
}

private struct ProbeArray: UnkeyedEncodingContainer {
  let probe: ProbingEncoder
  var count = 0
  var codingPath: [any CodingKey] { [] }

  init(probe: ProbingEncoder) {
    self.probe = probe
  }

  mutating func encodeNil() throws {
    try encode(false)
  }

  mutating func encode(_ value: some Encodable) throws {
    count += 1
    try probe.state.encode(value, at: probe.depth)
  }

  mutating func nestedContainer<Nested>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    count += 1
    return probe.inner.container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    count += 1
    return probe.inner.unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder {
    count += 1
    return probe.inner
  }
}

private struct ProbeValue: SingleValueEncodingContainer {
  let probe: ProbingEncoder
  var codingPath: [any CodingKey] { [] }

  func encodeNil() throws {
    try encode(false)
  }

  func encode(_ value: some Encodable) throws {
    try probe.state.encode(value, at: probe.depth)
  }
}
