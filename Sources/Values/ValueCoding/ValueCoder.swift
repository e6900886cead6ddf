import FoundationEssentials
import JSONTree
import Redaction

/// Encodes an app's values as JSON and decodes them, the same way for states and actions.
///
/// It counts nesting levels. `JSONEncoder` does not, and crashes when the stack overflows, after
/// some thousand levels.
package struct ValueCoder: Equatable, Sendable {
  /// How to express values that have no JSON form.
  package enum Style: Sendable {
    /// As `JSONEncoder` does by default.
    case foundation
    /// Dates as ISO 8601, and dictionaries whose keys have a text form as objects.
    case readable
  }

  /// The coder for code that cannot be passed one, such as `StateInitializable.init(from:)`.
  @TaskLocal package static var current = ValueCoder(.foundation)

  /// How deep arrays and objects may be nested. `JSONDecoder` reads 512 levels, so it can read
  /// everything that this writes.
  package static let depthMax = 500

  private let style: Style
  private var encoder: ValueEncoder
  private let decoder: JSONDecoder
  /// Nil if nothing is redacted, not even `Redacted` values.
  private let paths: RedactedPaths?
  /// Where `Reflected` keeps and finds values; nil outside of a recorder.
  package private(set) var seen: SeenValues?

  /// A coder may be shared between threads.
  ///
  /// - Parameters:
  ///   - escapesSlashes: true by default, as in `JSONEncoder`.
  ///   - paths: for JSON that leaves the process: the paths to redact in addition to `Redacted`
  ///     values.
  package init(
    _ style: Style, escapesSlashes: Bool = true, redacting paths: RedactedPaths? = nil
  ) {
    self.style = style
    self.paths = paths
    encoder = ValueEncoder(
      form: WritingForm(
        dates: style == .readable ? .readable : .seconds, escapesSlashes: escapesSlashes,
        marksRedacted: paths != nil, hasTextKeys: style == .readable))
    decoder = JSONDecoder()
    guard style == .readable else { return }
    decoder.dateDecodingStrategy = .custom { try ReadableDate.decode(from: $0) }
  }

  /// The same coder without marks, for JSON that stays in the process.
  package var clear: ValueCoder {
    var coder = ValueCoder(style)
    coder.seen = seen
    return coder
  }

  /// The same coder for a recorder.
  package var keepingValues: ValueCoder {
    var coder = self
    coder.seen = SeenValues()
    return coder
  }

  /// The same coder with null for numbers that JSON cannot express, for JSON that is kept and not
  /// sent.
  package var withNullNumbers: ValueCoder {
    var coder = self
    coder.encoder = encoder.withNullNumbers
    return coder
  }

  /// Whether dictionaries whose keys have a text form are objects.
  var hasTextKeys: Bool { style == .readable }

  package var redactsPaths: Bool { paths?.isEmpty == false }

  /// JSON with sorted keys, so that equal states are equal bytes, and a viewer's diff shows only
  /// changes.
  ///
  /// - Parameter scope: the names of values around this one. A redacted path may begin with them.
  package func bytes(of value: some Encodable, in scope: [String] = []) throws -> [UInt8] {
    try redact(try encoder.bytes(of: value), in: scope)
  }

  package func encode(_ value: some Encodable, in scope: [String] = []) throws -> Data {
    Data(try bytes(of: value, in: scope))
  }

  /// The same, with enums as people write them: `"clear"`, `{"add":"milk"}`.
  package func bytes(ofAction action: some Encodable) throws -> [UInt8] {
    try redact(try encoder.bytes(of: action, shortEnums: true))
  }

  /// Explains why a value was not encoded, without redacted values and keys.
  package func explanation(of error: any Error, in scope: [String]) -> String {
    guard let paths, redactsPaths else { return ValueCoding.explanation(of: error) }
    return ValueCoding.explanation(of: error, tellsValues: false) {
      paths.openCount(of: $0, in: scope)
    }
  }

  /// Puts marks at the redacted paths into JSON that our own code wrote. It does not validate.
  package func redact(_ json: [UInt8], in scope: [String] = []) throws(NoJSON) -> [UInt8] {
    try paths?.redact(json, in: scope) ?? json
  }

  /// The same for bytes that the app's author supplied; throws if they are not JSON.
  package func redact(foreign octets: consuming [UInt8]) throws(NoJSON) -> [UInt8] {
    guard let paths else { return octets }
    return try paths.redact(foreign: octets)
  }

  /// The same as `bytes`, as a JSON value.
  package func json(_ value: some Encodable) throws -> JSON {
    try JSON(parsing: bytes(of: value))
  }

  package func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    switch style {
    case .foundation: try decoder.decode(type, from: data)
    case .readable: try decoder.decode(Readable<Value>.self, from: data).value
    }
  }

  /// The same for JSON from a viewer. `JSONDecoder` alone accepts `[1,]` and repeated keys.
  package func decodeStrictly<Value: Decodable>(
    _ type: Value.Type, from data: Data
  ) throws -> Value {
    try JSON.check(Array(data))
    return try decode(type, from: data)
  }

  /// The action that JSON describes, with enums in either form, or as Redux writes it.
  package func decodeAction<Action: Decodable>(
    _ type: Action.Type, from json: JSON
  ) throws -> Action {
    try EnumReader(json: json, coder: self).action(type)
  }

  package static func == (one: ValueCoder, other: ValueCoder) -> Bool { one.style == other.style }
}

/// A value whose text is longer than its reader wants.
package struct TooLong: Error {}

/// A value nested more deeply than can be read again.
package struct TooDeep: Error, CustomStringConvertible {
  package let description = "nested more than \(ValueCoder.depthMax) deep"
}
