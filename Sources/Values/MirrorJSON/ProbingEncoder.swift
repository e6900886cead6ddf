import FoundationEssentials
import SurfValues

/// Estimates whether a value can be encoded within its limits. All containers of a probe share it.
final class ProbeState {
  private let depthMax: Int
  private var bytesLeft: Int
  private(set) var failed = false
  private(set) var isTooLong = false

  /// A probe fails below `depthMax` levels or beyond about `byteCountMax` bytes.
  init(depthMax: Int, byteCountMax: Int) {
    self.depthMax = depthMax
    bytesLeft = byteCountMax
  }

  /// Counts a container or a single value.
  func begin() { bytesLeft -= 1 }

  func see(_ key: String) { bytesLeft -= key.utf8.count + 3 }

  /// Counts a value inside a container at `depth`. After a failure every call throws, so encoding
  /// ends soon even if the value's own code ignores errors.
  func encode(_ value: any Encodable, at depth: Int) throws {
    if let byteCount = Self.byteCount(value) {
      bytesLeft -= byteCount
      try check(depth)
    } else {
      try check(depth + 1)
      try value.encode(to: ProbingEncoder(state: self, depth: depth + 1))
    }
  }

  /// Checks a nested container's depth on entry: an empty one encodes no value that would.
  func enter(_ depth: Int) {
    if depth > depthMax { failed = true }
  }

  private func check(_ depth: Int) throws {
    if bytesLeft < 0 { isTooLong = true }
    failed = failed || isTooLong || depth > depthMax
    if failed { throw ProbeError() }
  }

  /// The approximate length of a leaf's text; `nil` for a value with parts.
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

/// Ends the encoding of a value that is too deep or too long.
private struct ProbeError: Error {}

/// An encoder that writes nothing and reports each step to its `ProbeState`.
struct ProbingEncoder: Encoder {
  let state: ProbeState
  var depth = 0
  var codingPath: [any CodingKey] { [] }
  /// As in the real encoding, redacted values encode as marks.
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

  /// The encoder one level deeper.
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
