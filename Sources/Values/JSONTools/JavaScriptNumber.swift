import JSONTree

extension JSONNumber {
  /// The number as JavaScript prints it: the nearest `Double`, spelled by ECMA-262 §6.1.6.1.20. It
  /// is `null` beyond the range of a `Double`, as with `JSON.stringify`.
  package var javaScriptText: String {
    if isPlain { return literal }
    let value = double
    guard value.isFinite else { return "null" }
    if value == 0 { return "0" }
    let sign = value < 0 ? "-" : ""
    return sign + JavaScriptDigits("\(value.magnitude)").text
  }

  /// Whether the literal is a whole number short enough for a `Double` to hold exactly.
  private var isPlain: Bool {
    let digits = literal.utf8
    return digits.count <= 15 && digits.allSatisfy { ASCII.zero...ASCII.nine ~= $0 }
  }
}

/// The shortest digits of a positive number, whose value is 0.`digits` × 10^`point`.
private struct JavaScriptDigits {
  private let digits: [UInt8]
  private let point: Int

  /// Parses Swift's spelling, which has the same digits: `123.0`, `1e-07`, `1.5e+20`.
  init(_ text: String) {
    let parts = text.split(separator: "e")
    let places = parts[0].split(separator: ".")
    let whole = Array(places[0].utf8)
    let all = whole + (places.count > 1 ? Array(places[1].utf8) : [])
    let zeros = all.prefix { $0 == ASCII.zero }.count
    let end = (all.lastIndex { $0 != ASCII.zero } ?? zeros) + 1
    digits = Array(all[zeros..<max(zeros, end)])
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    point = whole.count - zeros + exponent
  }

  var text: String {
    switch point {
    case digits.count...21: string(digits) + zeros(point - digits.count)
    case 1...21: "\(string(digits[..<point])).\(string(digits[point...]))"
    case -5...0: "0.\(zeros(-point))\(string(digits))"
    default: scientific
    }
  }

  private var scientific: String {
    let rest = digits.count > 1 ? ".\(string(digits[1...]))" : ""
    return "\(string(digits[..<1]))\(rest)e\(point > 0 ? "+" : "")\(point - 1)"
  }

  private func string(_ digits: some Sequence<UInt8>) -> String {
    String(decoding: Array(digits), as: UTF8.self)
  }

  private func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }
}
