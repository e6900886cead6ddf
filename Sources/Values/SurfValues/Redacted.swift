#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A property whose value never leaves the process. Viewers see a mark in its place, and a state
/// that they send back keeps the current value.
///
///     struct Session: Codable {
///       var user = ""
///       @Redacted var token = ""
///     }
///
/// The program itself encodes and saves the value as usual. Printing and reflection hide it:
/// `print(session)` shows `redacted string`.
@propertyWrapper
public struct Redacted<Value> {
  /// The value.
  public var wrappedValue: Value

  /// Wraps an initial value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension Redacted: Sendable where Value: Sendable {}
extension Redacted: Equatable where Value: Equatable {}
extension Redacted: Hashable where Value: Hashable {}

extension Redacted: Encodable where Value: Encodable {
  /// Writes a mark for encoders that send to viewers, and the value for all others.
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
  /// Reads the value as if it were not wrapped.
  public init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.singleValueContainer().decode(Value.self)
  }
}

extension Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The kind of the value, without the value.
  public var description: String { "redacted \(MarkedKind(of: wrappedValue))" }

  /// The same text.
  public var debugDescription: String { description }

  /// A mark instead of the value.
  public var customMirror: Mirror {
    let kind = MarkedKind(of: wrappedValue).rawValue
    return Mirror(self, children: [RedactionMark.key: kind], displayStyle: .struct)
  }
}

// Synthesized coding skips an optional property that is nil or missing, but not a wrapped one.
// Without these overloads, files saved before a property was wrapped could not be read.
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

/// The mark in place of a value that does not leave the process: `{"$redacted":"string"}`
/// (Protocol.md §8.6).
package enum RedactionMark {
  package static let key = "$redacted"

  /// Makes an encoder write marks for `Redacted` values, for what leaves the process.
  package static var userInfo: [CodingUserInfoKey: any Sendable] {
    markingKey.map { [$0: true] } ?? [:]
  }
}

/// The kind of a redacted value: all that viewers learn of it.
package enum MarkedKind: String, CaseIterable, Sendable {
  case null, boolean, number, string, array, object

  /// For a value that may have no JSON form.
  init(of value: Any) {
    switch value {
    case is Bool: self = .boolean
    case is any Numeric: self = .number
    case is any StringProtocol, is Date, is Data, is UUID, is URL: self = .string
    default: self.init(Mirror(reflecting: value))
    }
  }

  private init(_ mirror: Mirror) {
    switch mirror.displayStyle {
    case .optional:
      if let child = mirror.children.first { self.init(of: child.value) } else { self = .null }
    case .collection, .set: self = .array
    case .enum where mirror.children.isEmpty: self = .string
    default: self = .object
    }
  }
}

extension Encoder {
  /// Whether `Redacted` values write marks.
  fileprivate var marksRedacted: Bool { markingKey.map { userInfo[$0] != nil } ?? true }
}

private let markingKey = CodingUserInfoKey(rawValue: "statesurf.marksRedacted")

private enum MarkKey: String, CodingKey {
  case redacted = "$redacted"
}
