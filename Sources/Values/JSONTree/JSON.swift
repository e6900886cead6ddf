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

// A value by its kind, and its members by name.
extension JSON {
  /// The value of `key`, if this is an object and has it.
  package subscript(key: String) -> JSON? { object?[key] }

  package var bool: Bool? {
    if case .bool(let bool) = self { bool } else { nil }
  }

  package var string: String? {
    if case .string(let string) = self { string } else { nil }
  }

  package var array: [JSON]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  package var object: JSONObject? {
    if case .object(let object) = self { object } else { nil }
  }

  /// The number, if it is written as an integer and fits.
  package var integer: Int? { number?.integer }

  /// The same from 0 to 2^64 - 1.
  package var natural: UInt64? { number.flatMap { UInt64($0.literal) } }

  package var number: JSONNumber? {
    if case .number(let number) = self { number } else { nil }
  }
}

/// A JSON number that keeps the text it was written in, so that printing gives back just that.
///
/// `1`, `1.0` and `1e0` are three different values: a debugger shows what was sent, and no
/// integer is too big for text.
package struct JSONNumber: Hashable, Sendable {
  /// The number as RFC 8259 §6 writes it.
  package let literal: String

  /// For the parser, which has just checked the grammar.
  init(checked literal: String) {
    self.literal = literal
  }

  /// The number that `literal` writes; `nil` unless RFC 8259 §6 allows it.
  package init?(literal: String) {
    var parser = JSONParser(Array(literal.utf8))
    guard let number = parser.soleNumber() else { return nil }
    self = number
  }

  /// A whole number.
  package init(_ value: some BinaryInteger) {
    literal = String(value)
  }

  /// The shortest text that reads back as `value`; `nil` for infinities and not-a-number.
  package init?(_ value: Double) {
    guard value.isFinite else { return nil }
    literal = "\(value)"
  }

  /// The nearest floating-point value; infinite if the number is out of range.
  package var double: Double { Double(literal) ?? .nan }

  /// The value, if it is written as an integer and fits.
  package var integer: Int? { Int(literal) }
}
