import FoundationEssentials

/// A property whose value never leaves the process: viewers see a mark in its place, and a state
/// that they send back keeps the value that the property has.
///
///     struct Session: Codable {
///       var user = ""
///       @Redacted var token = ""
///     }
///
/// What the program itself encodes and saves has the value as ever. Texts and reflection do not:
/// `print(session)` says `redacted string`.
@propertyWrapper
public struct Redacted<Value> {
  /// The value.
  public var wrappedValue: Value

  /// With its first value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension Redacted: Sendable where Value: Sendable {}
extension Redacted: Equatable where Value: Equatable {}
extension Redacted: Hashable where Value: Hashable {}

extension Redacted: Encodable where Value: Encodable {
  /// Writes a mark if the encoder is StateSurf's, and otherwise the value.
  public func encode(to encoder: any Encoder) throws {
    if encoder.marksRedacted {
      var object = encoder.container(keyedBy: MarkKey.self)
      try object.encode(MarkedKind(of: wrappedValue).rawValue, forKey: .redacted)
    } else {
      var container = encoder.singleValueContainer()
      try container.encode(wrappedValue)
    }
  }
}

extension Redacted: Decodable where Value: Decodable {
  /// Reads the value, as if it were not redacted.
  public init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.singleValueContainer().decode(Value.self)
  }
}

extension Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// What may be told: the kind of the value.
  public var description: String { "redacted \(MarkedKind(of: wrappedValue))" }

  /// The same.
  public var debugDescription: String { description }

  /// The mark.
  public var customMirror: Mirror {
    let kind = MarkedKind(of: wrappedValue).rawValue
    return Mirror(self, children: [RedactionMark.key: kind], displayStyle: .struct)
  }
}

// The compiler writes an optional property only if there is a value, and reads it if it is there.
// With the wrapper it would do neither, and a file from before would not be read.
extension KeyedEncodingContainer {
  /// Writes nothing for nil.
  public mutating func encode<Wrapped: Encodable>(
    _ value: Redacted<Wrapped?>, forKey key: Key
  ) throws {
    if value.wrappedValue != nil { try put(value, forKey: key) }
  }

  private mutating func put(_ value: some Encodable, forKey key: Key) throws {
    try encode(value, forKey: key)
  }
}

extension KeyedDecodingContainer {
  /// Reads nil if the key is missing.
  public func decode<Wrapped: Decodable>(
    _ type: Redacted<Wrapped?>.Type, forKey key: Key
  ) throws -> Redacted<Wrapped?> {
    try decodeIfPresent(type, forKey: key) ?? Redacted(wrappedValue: nil)
  }
}

extension RedactionMark {
  /// Of an encoder for what leaves the process: values that are `Redacted` write marks.
  package static var userInfo: [CodingUserInfoKey: any Sendable] {
    markingKey.map { [$0: true] } ?? [:]
  }
}

extension Encoder {
  /// Whether values that are `Redacted` write marks.
  package var marksRedacted: Bool { markingKey.map { userInfo[$0] != nil } ?? true }
}

private let markingKey = CodingUserInfoKey(rawValue: "statesurf.marksRedacted")

private enum MarkKey: String, CodingKey {
  case redacted = "$redacted"
}
