import JSONTree

/// Marks the values in JSON for panels that JavaScript would change, and removes the marks again.
///
/// JavaScript's numbers are `Double`, and it does not write all digits of integers beyond 2^53.
/// Such numbers go to a panel as `{"$int":"…"}` or `{"$number":"…"}`, so that people see the exact
/// number, and a panel's export reads back unchanged. If an app has members named like our marks or
/// jsan's, their values are wrapped in a list, as jsan does it.
enum ExactNumber {
  private static let integerMark = "$int"
  private static let numberMark = "$number"
  private static let marks = [integerMark, numberMark, "$jsan"]
  private static let escape = Array("\\u0024".utf8)

  /// Marks all such numbers and members in JSON text.
  static func marked(_ json: [UInt8]) -> [UInt8] {
    if mayHaveMarks(json), let value = JSON(ifValid: json) { return marked(value).bytes() }
    let runs = json.withUnsafeBufferPointer(inexactNumbers)
    guard !runs.isEmpty else { return json }
    var marked: [UInt8] = []
    var next = 0
    for run in runs {
      marked += json[next..<run.lowerBound]
      let mark = isInteger(json[run]) ? integerMark : numberMark
      marked += Array("{\"\(mark)\":\"".utf8) + json[run] + Array("\"}".utf8)
      next = run.upperBound
    }
    return marked + json[next...]
  }

  static func marked(_ json: String) -> String {
    String(decoding: marked(Array(json.utf8)), as: UTF8.self)
  }

  /// Marks start with `$`, which may be escaped.
  private static func mayHaveMarks(_ json: [UInt8]) -> Bool {
    json.withUnsafeBufferPointer { json in
      json.indices.dropFirst().contains { index in
        json[index] == UInt8(ascii: "$") && json[index - 1] == UInt8(ascii: "\"")
          || json[index] == UInt8(ascii: "\\") && json[index...].starts(with: escape)
      }
    }
  }

  private static func marked(_ json: JSON) -> JSON {
    switch json {
    case .array(let elements): .array(elements.map(marked))
    case .object(let object):
      .object(
        JSONObject(
          object.members.map { member in
            let value = marked(member.value)
            return .init(key: member.key, value: marks.contains(member.key) ? [value] : value)
          }))
    case .number(let number): marked(number) ?? json
    case .null, .bool, .string: json
    }
  }

  private static func marked(_ number: JSONNumber) -> JSON? {
    let digits = Array(number.literal.utf8)
    guard digits.withUnsafeBufferPointer({ isInexact($0[...]) }) else { return nil }
    return [isInteger(digits[...]) ? integerMark : numberMark: .string(number.literal)]
  }

  /// Replaces the marks with the numbers. Expects JSON without jsan's marks.
  static func restored(_ json: JSON) -> JSON {
    switch json {
    case .array(let elements): return .array(elements.map(restored))
    case .object(let object):
      if object.members.count == 1, let member = object.members.first, isOurs(member.key),
        let text = member.value.string, let number = JSONNumber(literal: text)
      {
        return .number(number)
      }
      return .object(JSONObject(object.members.map(restored)))
    case .null, .bool, .number, .string: return json
    }
  }

  private static func restored(_ member: JSONObject.Member) -> JSONObject.Member {
    var value = member.value
    if isOurs(member.key), let elements = value.array, elements.count == 1 { value = elements[0] }
    return .init(key: member.key, value: restored(value))
  }

  private static func isOurs(_ key: String) -> Bool { key == integerMark || key == numberMark }

  /// The ranges of numbers that JavaScript would change.
  private static func inexactNumbers(_ json: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var index = 0
    while index < json.count {
      switch json[index] {
      case UInt8(ascii: "\""): index = end(ofString: index, json)
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        let end = end(ofNumber: index, json)
        if isInexact(json[index..<end]) { runs.append(index..<end) }
        index = end
      default: index += 1
      }
    }
    return runs
  }

  private static func end(ofString start: Int, _ json: UnsafeBufferPointer<UInt8>) -> Int {
    var index = start + 1
    while index < json.count, json[index] != UInt8(ascii: "\"") {
      index += json[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index + 1, json.count)
  }

  private static func end(ofNumber start: Int, _ json: UnsafeBufferPointer<UInt8>) -> Int {
    var index = start
    while index < json.count, isOfNumber(json[index]) { index += 1 }
    return index
  }

  private static func isOfNumber(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private static func isInteger(_ number: ArraySlice<UInt8>) -> Bool {
    number.allSatisfy { $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }
  }

  private static func isInexact(_ number: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    // Up to fifteen digits survive reading and writing (IEEE 754), if the exponent is small.
    let hasExponent = number.contains { $0 | 0x20 == UInt8(ascii: "e") }
    if !hasExponent, number.count <= 15, number.first != UInt8(ascii: "-") { return false }
    let text = String(decoding: number, as: UTF8.self)
    let decimal = Decimal(text)
    // JavaScript writes -0 as 0, and infinity as null.
    guard !decimal.digits.isEmpty, let double = Double(text), double.isFinite else {
      return !decimal.digits.isEmpty || decimal.isNegative
    }
    return decimal != Decimal(double.description)
      || isInteger(Array(number)[...]) && double.magnitude >= 0x1p53
  }

  /// A number by its digits, without leading and trailing zeros.
  private struct Decimal: Equatable {
    private(set) var digits: [UInt8] = []
    private(set) var isNegative = false
    /// The value is DIGITS × 10^exponent; 0 for zero.
    private var exponent = 0

    init(_ literal: String) {
      let octets = Array(literal.utf8)
      let mantissa = octets.prefix { $0 | 0x20 != UInt8(ascii: "e") }
      isNegative = mantissa.first == UInt8(ascii: "-")
      let written = Int(String(decoding: octets[mantissa.count...].dropFirst(), as: UTF8.self))
      let parts = mantissa.drop { $0 == UInt8(ascii: "-") }
        .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      let all = parts.joined().drop { $0 == UInt8(ascii: "0") }
      let zeros = all.reversed().prefix { $0 == UInt8(ascii: "0") }.count
      digits = Array(all.dropLast(zeros))
      guard !digits.isEmpty else { return }
      // An exponent that exceeds `Int` exceeds `Double`, too.
      let point = parts.count > 1 ? parts[1].count : 0
      exponent = (written ?? 0) &+ zeros &- point
    }
  }
}
