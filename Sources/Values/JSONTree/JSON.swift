/// A JSON value, as the tree that viewers show, search and compare.
///
/// Strings are equal as Swift strings are, by canonical equivalence; numbers by their literal text;
/// objects whatever the order of their members.
package enum JSON: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, with the text it was written in.
  case number(JSONNumber)
  /// A string, without its escapes.
  case string(String)
  /// Values in order.
  case array([JSON])
  /// Named values, in the order they were read.
  case object(JSONObject)
}

extension JSON {
  /// The integer `value` as a number.
  package static func number(_ value: some BinaryInteger) -> JSON {
    .number(JSONNumber(value))
  }

  /// Whether this is neither an array nor an object.
  package var isScalar: Bool {
    switch self {
    case .null, .bool, .number, .string: true
    case .array, .object: false
    }
  }
}

// `nil` is no literal of it: in `isThere ? json : nil` that would be a null, and not no value.
extension JSON: ExpressibleByBooleanLiteral, ExpressibleByStringLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// `true` or `false`.
  package init(booleanLiteral value: Bool) { self = .bool(value) }

  /// A string.
  package init(stringLiteral value: String) { self = .string(value) }

  /// A whole number.
  package init(integerLiteral value: Int) { self = .number(value) }

  /// An array.
  package init(arrayLiteral elements: JSON...) { self = .array(elements) }

  /// An object, its members in the order written; of duplicate keys the last counts.
  package init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(JSONObject(pairs: elements))
  }
}
