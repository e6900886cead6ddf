import FoundationEssentials
import JSONTree
import Redaction

/// An app's values as JSON, and back, the same way for states and actions.
///
/// It counts the levels as it walks a value: `JSONEncoder` does not, and ends the program once the
/// stack is used up, at some thousands of levels.
package struct ValueCoder: Equatable, Sendable {
  /// How JSON expresses values without a JSON form.
  package enum Style: Sendable {
    /// As `JSONEncoder` does on its own.
    case foundation
    /// Dates as ISO 8601, and dictionaries whose keys are written as text as objects.
    case readable
  }

  /// The coder in use while no other is given: `StateInitializable.init(from:)` has no argument for
  /// it.
  @TaskLocal package static var current = ValueCoder(.foundation)

  /// Levels of arrays and objects. `JSONDecoder` reads up to 512, so that it can read all that is
  /// written.
  package static let depthMax = 500

  private let style: Style
  private var encoder: ValueEncoder
  private let decoder: JSONDecoder
  /// Nil if nothing is redacted: neither by a path nor by `Redacted`.
  private let paths: RedactedPaths?

  /// A coder of this style; it may be shared between threads.
  ///
  /// - Parameters:
  ///   - escapesSlashes: as `JSONEncoder` does unless told otherwise.
  ///   - paths: for JSON that leaves the process: what is redacted besides what is `Redacted`.
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

  /// The same without marks: for what stays in the process.
  package var clear: ValueCoder { ValueCoder(style) }

  /// The same with null in the place of each number that JSON does not have: for what is kept, and
  /// not sent.
  package var withNullNumbers: ValueCoder {
    var coder = self
    coder.encoder = encoder.withNullNumbers
    return coder
  }

  /// Whether dictionaries whose keys are written as text are objects.
  var hasTextKeys: Bool { style == .readable }

  /// Whether paths are redacted.
  package var redactsPaths: Bool { paths?.isEmpty == false }

  /// JSON with sorted keys: equal states are equal bytes, and a viewer's diff shows changes alone.
  ///
  /// - Parameter scope: names of values around this one, with which a redacted path may begin.
  package func bytes(of value: some Encodable, in scope: [String] = []) throws -> [UInt8] {
    try redact(try encoder.bytes(of: value), in: scope)
  }

  package func encode(_ value: some Encodable, in scope: [String] = []) throws -> Data {
    Data(try bytes(of: value, in: scope))
  }

  /// The same, with every enum as people write it: `"clear"`, `{"add":"milk"}`.
  package func bytes(ofAction action: some Encodable) throws -> [UInt8] {
    try redact(try encoder.bytes(of: action, shortEnums: true))
  }

  package func encodeAction(_ action: some Encodable) throws -> Data {
    Data(try bytes(ofAction: action))
  }

  /// Why a value was not encoded, without what is redacted.
  package func explanation(of error: any Error, in scope: [String]) -> String {
    guard let paths, redactsPaths else { return ValueCoding.explanation(of: error) }
    return ValueCoding.explanation(of: error, tellsValues: false) {
      paths.openCount(of: $0, in: scope)
    }
  }

  /// JSON that another writer of ours made, with marks at the paths that are redacted.
  package func redact(_ json: [UInt8], in scope: [String] = []) throws(NoJSON) -> [UInt8] {
    try paths?.redact(json, in: scope) ?? json
  }

  /// The same of octets that may be anything.
  package func redact(foreign octets: [UInt8]) throws(NoJSON) -> [UInt8] {
    try paths?.redact(foreign: octets) ?? octets
  }

  /// The same as a value.
  package func json(_ value: some Encodable) throws -> JSON {
    try JSON(parsing: bytes(of: value))
  }

  /// The value that JSON describes.
  package func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    switch style {
    case .foundation: try decoder.decode(type, from: data)
    case .readable: try decoder.decode(Readable<Value>.self, from: data).value
    }
  }

  /// The same of what a viewer sent: `JSONDecoder` alone takes `[1,]`, and an object's key twice.
  package func decodeStrictly<Value: Decodable>(
    _ type: Value.Type, from data: Data
  ) throws -> Value {
    try JSON.check(Array(data))
    return try decode(type, from: data)
  }

  /// The action that JSON describes, its enums written either way, or as Redux does.
  package func decodeAction<Action: Decodable>(
    _ type: Action.Type, from json: JSON
  ) throws -> Action {
    try EnumReader(json: json, coder: self).action(type)
  }

  package static func == (one: ValueCoder, other: ValueCoder) -> Bool { one.style == other.style }
}

/// A value nested deeper than any that could be read again.
package struct TooDeep: Error, CustomStringConvertible {
  package let description = "nested more than \(ValueCoder.depthMax) deep"
}
