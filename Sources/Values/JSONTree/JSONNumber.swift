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
