import JSONTree

/// Why text is not a JavaScript literal, where, and what to write instead.
package typealias JavaScriptLiteralError = SyntaxError<LiteralFault>

package enum LiteralFault: Hashable, Sendable {
  /// The text ends inside a value.
  case unexpectedEnd
  /// A character that is not allowed here.
  case unexpected(Unicode.Scalar)
  /// Text after a complete value.
  case trailingText
  /// `NaN`, `Infinity`, or a number too big for a `Double`: JSON has none of them.
  case notFinite(String)
  /// A variable, whose value only a running program knows.
  case variable(String)
  /// A call of a function, or `new`.
  case call(String)
  /// A function, a method, an accessor or a class.
  case function
  /// `...`
  case spread
  /// `{a}` for `{a: a}`.
  case shorthand(String)
  /// A computed key other than a string or a number.
  case computedKey
  /// A number as a key whose text in JavaScript differs from the one written.
  case numericKey
  /// `${` in a template.
  case interpolation
  /// An operator between two values.
  case expression(Unicode.Scalar)
  /// A regular expression.
  case regularExpression
  /// Digits that do not make a number: `1__0`, `0x`, `1e`.
  case invalidNumber
  /// `010`, which is 8 or 10, depending on the program's mode.
  case leadingZero
  /// `10n`.
  case bigInteger
  /// An unknown escape.
  case invalidEscape
  /// Half of a UTF-16 pair: `\ud800` alone.
  case loneSurrogate
  /// A line that ends inside `'…'` or `"…"`.
  case lineBreakInString
  /// `/*` without `*/`.
  case unclosedComment
  /// More than `JavaScriptLiteral.depthMax` levels of nesting.
  case tooDeep
}

extension JavaScriptLiteralError {
  init(_ reason: LiteralFault, at offset: Int, in scalars: [Unicode.Scalar]) {
    let before = scalars.prefix(offset)
    let start = before.lastIndex(of: "\n").map { $0 + 1 } ?? 0
    self.init(
      reason, line: before.count { $0 == "\n" } + 1, column: before.count - start + 1)
  }
}

extension LiteralFault: CustomStringConvertible {
  /// The reason, and after a semicolon the remedy.
  package var description: String {
    textReason ?? codeReason
  }

  /// For malformed text.
  private var textReason: String? {
    switch self {
    case .unexpectedEnd: "the text ends inside a value; close what is open"
    case .unexpected(let scalar): "unexpected \(Self.name(of: scalar)); write a value or a key"
    case .trailingText: "text after the end of the value; write one value only"
    case .invalidNumber: "not a number; write it like 1, 0.5, 1e3 or 0xff"
    case .leadingZero: "a number with a leading zero; write 0o10 for octal, or no zero"
    case .bigInteger: "a big integer; write it without the n"
    case .invalidEscape: "unknown escape in a string; write \\\\ for a backslash"
    case .loneSurrogate: "half of a surrogate pair; write both halves or \\u{…}"
    case .lineBreakInString: "a line ends inside a string; write \\n or use backticks"
    case .unclosedComment: "a comment without an end; write */"
    case .tooDeep: "more than \(JavaScriptLiteral.depthMax) levels of nesting; nest less"
    default: nil
    }
  }

  /// For code, whose value is only known after running it.
  private var codeReason: String {
    switch self {
    case .notFinite(let text): "\(text) is not in JSON; write null or a string"
    case .variable(let name):
      "\(name) has no quotation marks; write '\(name)' for text, or its value"
    case .call(let name): "a call of \(name), and no code is run; write its result"
    case .function: "a function, and no code is run; leave it out"
    case .spread: "a spread, and no code is run; write its members out"
    case .shorthand(let name): "\(name) has no value; write \(name): and a value"
    case .computedKey: "a computed key that is no string; write the key in quotes"
    case .numericKey: "a number that is no plain key; write the key in quotes"
    case .interpolation: "${…} in a template, and no code is run; write the text out"
    case .expression(let scalar):
      "operator \(Self.name(of: scalar)), and no code is run; write the result"
    case .regularExpression: "a regular expression is not in JSON; write it in quotes"
    default: "no literal; write a value"
    }
  }

  private static func name(of scalar: Unicode.Scalar) -> String {
    switch scalar.properties.generalCategory {
    case .control, .format, .unassigned, .privateUse, .surrogate, .lineSeparator,
      .paragraphSeparator, .spaceSeparator:
      "character U+" + String(scalar.value, radix: 16, uppercase: true)
    default: "'\(Character(scalar))'"
    }
  }
}
