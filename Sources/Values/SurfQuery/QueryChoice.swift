import JSONTree
import SurfWire

/// A word or a range in a query, such as `5..9` or `10k..`, with the text that was typed.
package struct QueryChoice: Sendable {
  package let text: String
  /// A quoted choice is always text, never a number or a range.
  package let isQuoted: Bool
  let meaning: Meaning

  enum Meaning: Sendable {
    case word(WordPattern)
    case value(QueryValue)
    /// Inclusive at both ends. Nil means unbounded.
    case range(BigDecimal?, BigDecimal?)
  }

  /// Nil if the text is not in the unit's notation.
  package init?(_ text: String, isQuoted: Bool = false, in unit: QueryUnit) {
    guard let meaning = isQuoted ? Self.word(text, unit) : Self.meaning(of: text, unit) else {
      return nil
    }
    self.text = text
    self.isQuoted = isQuoted
    self.meaning = meaning
  }

  private static func word(_ text: String, _ unit: QueryUnit) -> Meaning? {
    switch unit {
    case .word: .word(WordPattern(exactly: text))
    case .value: .value(.scalar(.string(text)))
    case .count, .bytes, .clock, .time, .level, .kind: nil
    }
  }

  private static func meaning(of text: String, _ unit: QueryUnit) -> Meaning? {
    switch unit {
    case .word: return text.isEmpty ? nil : .word(WordPattern(text))
    case .kind:
      return QueryUnit.kinds.contains(text) ? .word(WordPattern(exactly: text)) : nil
    case .value:
      if let range = range(text, unit) { return range }
      return text.isEmpty ? nil : .value(QueryValue(bare: text))
    case .count, .bytes, .clock, .time, .level: return range(text, unit) ?? point(text, unit)
    }
  }

  private static func point(_ text: String, _ unit: QueryUnit) -> Meaning? {
    guard let first = unit.bound(text), let last = unit.bound(text, isLast: true) else {
      return nil
    }
    return .range(first, last)
  }

  private static func range(_ text: String, _ unit: QueryUnit) -> Meaning? {
    guard let dots = text.firstRange(of: "..") else { return nil }
    let (first, last) = (text[..<dots.lowerBound], text[dots.upperBound...])
    guard !(first.isEmpty && last.isEmpty) else { return nil }
    let lower = first.isEmpty ? nil : unit.bound(first)
    let upper = last.isEmpty ? nil : unit.bound(last, isLast: true)
    guard (lower == nil) == first.isEmpty, (upper == nil) == last.isEmpty else { return nil }
    return .range(lower, upper)
  }

  /// The range with its ends exchanged, if they are in the wrong order.
  static func exchanged(_ text: String, in unit: QueryUnit) -> String? {
    guard case .range(let lower?, let upper?) = range(text, unit), upper < lower,
      let dots = text.firstRange(of: "..")
    else { return nil }
    return "\(text[dots.upperBound...])..\(text[..<dots.lowerBound])"
  }

  func holds(_ number: BigDecimal) -> Bool {
    guard case .range(let lower, let upper) = meaning else { return false }
    return lower.map { $0 <= number } ?? true && upper.map { number <= $0 } ?? true
  }

  func holds(_ name: some StringProtocol) -> Bool {
    if case .word(let pattern) = meaning { pattern.matches(name) } else { false }
  }
}

// The meaning is left out: it follows from the text, within one unit.
extension QueryChoice: Hashable {
  package static func == (first: QueryChoice, second: QueryChoice) -> Bool {
    first.text == second.text && first.isQuoted == second.isQuoted
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(text)
    hasher.combine(isQuoted)
  }
}

extension QueryUnit {
  /// The number at one end of a range.
  ///
  /// - Parameter isLast: for `.clock`, whether to take the last nanosecond of the time as written,
  ///   which may be a whole minute.
  fileprivate func bound(_ text: some StringProtocol, isLast: Bool = false) -> BigDecimal? {
    switch self {
    case .count: return text.allSatisfy(\.isNumber) ? BigDecimal(plain: text) : nil
    case .bytes, .value: return number(text, Self.multiples)
    case .time: return number(text, Self.times)
    case .clock: return ClockTime(text).map { BigDecimal(isLast ? $0.last : $0.first) }
    case .level: return Self.levels.firstIndex(of: String(text)).map { BigDecimal($0 + 1) }
    case .kind, .word: return nil
    }
  }

  private static let multiples: [(String, Int)] = [
    ("kB", 1_000), ("k", 1_000), ("MB", 1_000_000), ("M", 1_000_000), ("", 1),
  ]
  /// In nanoseconds.
  private static let times: [(String, Int)] = [
    ("ns", 1), ("us", 1_000), ("µs", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000),
    ("m", 60_000_000_000), ("h", 3_600_000_000_000),
  ]

  private func number(_ text: some StringProtocol, _ units: [(String, Int)]) -> BigDecimal? {
    for (suffix, factor) in units where text.hasSuffix(suffix) {
      guard let number = BigDecimal(plain: text.dropLast(suffix.count)) else { continue }
      return number.times(factor)
    }
    return nil
  }
}

extension BigDecimal {
  /// Adds and shifts, so the factor must be a small number times a power of ten.
  fileprivate func times(_ factor: Int) -> BigDecimal? {
    var (rest, power) = (factor, 0)
    while rest % 10 == 0 { (rest, power) = (rest / 10, power + 1) }
    var sum: BigDecimal? = .zero
    for _ in 0..<rest { sum = sum?.adding(self) }
    return sum?.shifted(by: power)
  }
}

/// A name as typed, where `*` and `%` match any text. Ignores case unless it has a capital.
struct WordPattern: Sendable {
  /// The texts between the wildcards.
  private let parts: [[UInt8]]
  private let folds: Bool

  init(_ text: String) {
    self.init(text, parts: text.split(omittingEmptySubsequences: false) { "*%".contains($0) })
  }

  init(exactly text: String) { self.init(text, parts: [text[...]]) }

  private init(_ text: String, parts: [Substring]) {
    let folds = !text.contains(where: \.isUppercase)
    self.folds = folds
    self.parts = parts.map { Array((folds ? $0.lowercased() : String($0)).utf8) }
  }

  func matches(_ name: some StringProtocol) -> Bool {
    let name = Array((folds ? name.lowercased() : String(name)).utf8)
    guard let first = parts.first, let last = parts.last, parts.count > 1 else {
      return parts.first == name
    }
    guard name.starts(with: first), name.count >= first.count + last.count,
      name.suffix(last.count).elementsEqual(last)
    else { return false }
    // The first place that fits leaves the most room for the parts after it.
    var rest = name[first.count..<name.count - last.count]
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.indices.first(where: { rest[$0...].starts(with: part) }) else {
        return false
      }
      rest = rest[(found + part.count)...]
    }
    return true
  }
}

extension QueryChoice {
  /// The choice that a row's own name passes. An action goes by its case, without the values. All
  /// that a locked app refused is alike: a busy one refuses something else each time.
  package init(naming record: Record) {
    if record.kind == .log(.warning), record.name.hasPrefix("refused while locked: ") {
      (text, isQuoted) = ("refused%while%locked%", false)
      meaning = .word(WordPattern(text))
      return
    }
    let word = record.kind == .action ? record.leadingWord : ""
    (text, isQuoted) = word.isEmpty ? (record.name, true) : (String(word), false)
    meaning = .word(WordPattern(exactly: text))
  }
}

extension Record {
  /// The enum case without its values: `add` of `add(title: "Milk")`.
  var leadingWord: Substring {
    name.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}

/// A time of day as typed: `14:03`, `14:03:59` or `14:03:59.5`.
struct ClockTime {
  /// The first and last nanosecond of the day that the text covers.
  let first: Int
  let last: Int

  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let hour = Self.number(parts[0], below: 24),
      let minute = Self.number(parts[1], below: 60)
    else { return nil }
    let start = (hour * 60 + minute) * 60 * Self.second
    guard parts.count > 2 else {
      (first, last) = (start, start + 60 * Self.second - 1)
      return
    }
    let halves = parts[2].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let second = Self.number(halves[0], below: 60) else { return nil }
    guard halves.count > 1 else {
      first = start + second * Self.second
      last = first + Self.second - 1
      return
    }
    let digits = halves[1]
    guard (1...9).contains(digits.count), let fraction = Self.number(digits, below: Self.second)
    else { return nil }
    var unit = 1
    for _ in digits.count..<9 { unit *= 10 }
    first = start + second * Self.second + fraction * unit
    last = first + unit - 1
  }

  private static let second = 1_000_000_000

  private static func number(_ text: some StringProtocol, below bound: Int) -> Int? {
    guard text.utf8.allSatisfy({ ASCII.zero...ASCII.nine ~= $0 }), let number = Int(text),
      number < bound
    else { return nil }
    return number
  }
}

extension QueryValue {
  /// The value of a word without quotation marks.
  init(bare word: String) {
    switch word {
    case "null": self = .scalar(.null)
    case "true": self = .scalar(true)
    case "false": self = .scalar(false)
    default: self = .scalar(JSONNumber(literal: word).map { .number($0) } ?? .string(word))
    }
  }
}
