/// A JSON value as a tree, which viewers show, search and compare.
///
/// Strings are equal if their scalars are, numbers if their literals are, and objects whatever the
/// order of their members.
package enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  /// A string, unescaped.
  case string(String)
  case array([JSON])
  case object(JSONObject)
}

extension JSON {
  @inline(never) package static func == (left: JSON, right: JSON) -> Bool {
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

// Not by `nil`: in `isThere ? json : nil` it would mean JSON's null, and not a missing value.
extension JSON: ExpressibleByBooleanLiteral, ExpressibleByStringLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(booleanLiteral value: Bool) { self = .bool(value) }

  package init(stringLiteral value: String) { self = .string(value) }

  package init(integerLiteral value: Int) { self = .number(value) }

  package init(arrayLiteral elements: JSON...) { self = .array(elements) }

  /// Keeps the members' order. Of duplicate keys the last counts.
  package init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(JSONObject(pairs: elements))
  }
}

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

  /// The number, if it is written as an integer from 0 to 2^64 - 1.
  package var natural: UInt64? { number.flatMap { UInt64($0.literal) } }

  package var number: JSONNumber? {
    if case .number(let number) = self { number } else { nil }
  }
}

/// A JSON number that keeps its original text, and prints it unchanged.
///
/// `1`, `1.0` and `1e0` are three different values, because a debugger shows what was sent.
/// Integers of any size fit.
package struct JSONNumber: Hashable, Sendable {
  /// The number as RFC 8259 §6 writes it.
  package let literal: String

  /// For the parser, which has already checked the grammar.
  init(checked literal: String) {
    self.literal = literal
  }

  /// Nil unless `literal` is a number by RFC 8259 §6.
  package init?(literal: String) {
    var parser = JSONParser(Array(literal.utf8))
    guard let number = parser.soleNumber() else { return nil }
    self = number
  }

  package init(_ value: some BinaryInteger) {
    literal = String(value)
  }

  /// The shortest text that reads back as `value`; nil for infinities and NaN.
  package init?(_ value: Double) {
    guard value.isFinite else { return nil }
    literal = "\(value)"
  }

  /// The nearest `Double`; infinite if the number is out of range.
  package var double: Double { Double(literal) ?? .nan }

  /// The value, if it is written as an integer and fits.
  package var integer: Int? { Int(literal) }
}
