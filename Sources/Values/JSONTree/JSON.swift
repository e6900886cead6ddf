/// A JSON value, as the tree that viewers show, search and compare.
///
/// Strings are equal if their scalars are; numbers by their literal text; objects whatever the
/// order of their members.
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
  package static func == (left: JSON, right: JSON) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let one), .bool(let other)): one == other
    case (.number(let one), .number(let other)): one == other
    case (.string(let one), .string(let other)): one.isExactly(other)
    case (.array(let one), .array(let other)): one == other
    case (.object(let one), .object(let other)): one == other
    case (.null, _), (.bool, _), (.number, _), (.string, _), (.array, _), (.object, _): false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .number(let number): hasher.combine(number)
    case .string(let text): hasher.combine(ExactText(text))
    case .array(let elements): hasher.combine(elements)
    case .object(let object): hasher.combine(object)
    }
  }

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
