import FoundationEssentials
import SurfBasics

/// Dates as ISO 8601, with as many digits as needed to restore exactly the same date.
enum ReadableDate {
  /// Decodes such a text, seconds since 2001, or any other ISO 8601 date.
  static func decode(from decoder: any Decoder) throws -> Date {
    let container = try decoder.singleValueContainer()
    let text: String
    do { text = try container.decode(String.self) } catch {
      return Date(timeIntervalSinceReferenceDate: try container.decode(Double.self))
    }
    if let date = date(text) { return date }
    throw DecodingError.dataCorruptedError(
      in: container, debugDescription: "\(text) is not a date such as 2026-11-22T08:30:00Z")
  }

  /// From 1583, the first full year of the Gregorian calendar, to before 10000, in seconds since
  /// 2001.
  private static let written = -13_190_860_800.0..<252_423_993_600.0
  private static let daySize = 86_400
  /// Days from 1970-01-01 to 2001-01-01.
  private static let referenceDay = 11_323

  /// Appends `2026-11-22T08:30:00.25Z`. Returns false outside of the years 1583 to 9999, because
  /// programs disagree on their texts. `JSONEncoder`'s form, seconds since 2001, then takes its
  /// place.
  static func append(_ date: Date, to text: inout TextBuffer) -> Bool {
    let seconds = date.timeIntervalSinceReferenceDate
    guard written.contains(seconds), let decimal = DecimalSeconds(seconds) else { return false }
    let days = decimal.whole.floored(by: daySize)
    let time = decimal.whole - days * daySize
    let day = CalendarDay(number: days + referenceDay)
    text.append(digits: UInt64(day.year), count: 4)
    text.append(UInt8(ascii: "-"))
    text.append(digits: UInt64(day.month), count: 2)
    text.append(UInt8(ascii: "-"))
    text.append(digits: UInt64(day.day), count: 2)
    text.append(UInt8(ascii: "T"))
    text.append(digits: UInt64(time / 3_600), count: 2)
    text.append(UInt8(ascii: ":"))
    text.append(digits: UInt64(time / 60 % 60), count: 2)
    text.append(UInt8(ascii: ":"))
    text.append(digits: UInt64(time % 60), count: 2)
    if decimal.digitCount > 0 {
      text.append(UInt8(ascii: "."))
      text.append(digits: decimal.fraction, count: decimal.digitCount)
    }
    text.append(UInt8(ascii: "Z"))
    return true
  }

  /// Reads the form that `append` writes, or any other ISO 8601 date.
  static func date(_ text: String) -> Date? {
    let parts = text.split(separator: ".", maxSplits: 1)
    guard parts.count == 2 else { return whole(text) }
    let digits = parts[1].prefix { ("0"..."9").contains($0) }
    let kept = digits.prefix(DecimalSeconds.digitCountMax)
    guard let whole = whole(parts[0] + parts[1].dropFirst(digits.count)),
      let seconds = Int(exactly: whole.timeIntervalSinceReferenceDate),
      let fraction = UInt64("0\(kept)")
    else { return nil }
    return DecimalSeconds(whole: seconds, fraction: fraction, digitCount: kept.count).value
      .map { Date(timeIntervalSinceReferenceDate: $0) }
  }

  private static let style = Date.ISO8601FormatStyle()

  private static func whole(_ text: some StringProtocol) -> Date? {
    do { return try style.parse(String(text)) } catch { return nil }
  }
}

/// Whole seconds, and a decimal fraction that counts upwards even below zero.
private struct DecimalSeconds {
  let whole: Int
  let fraction: UInt64
  let digitCount: Int

  /// The most digits that always fit `UInt64`. A `Double` in these years needs no more.
  static let digitCountMax = 18

  init(whole: Int, fraction: UInt64, digitCount: Int) {
    var (fraction, digitCount) = (fraction, digitCount)
    while digitCount > 0, fraction % 10 == 0 {
      (fraction, digitCount) = (fraction / 10, digitCount - 1)
    }
    (self.whole, self.fraction, self.digitCount) = (whole, fraction, digitCount)
  }

  /// The fewest digits that identify this number; nil if it needs more than a date can have.
  init?(_ seconds: Double) {
    // No two texts of at most 15 digits read as the same number, so there is no shorter one.
    let millionths = (seconds.magnitude * 1e6).rounded()
    if seconds.magnitude < 1e9, millionths / 1e6 == seconds.magnitude {
      let (whole, part) = UInt64(millionths).quotientAndRemainder(dividingBy: 1_000_000)
      self.init(whole: Int(whole), fraction: part, digitCount: 6, isNegative: seconds < 0)
      return
    }
    var text = seconds.magnitude.description
    let parts = text.withUTF8 { text -> (whole: UInt64, fraction: UInt64, count: Int)? in
      guard let point = text.firstIndex(of: UInt8(ascii: ".")) else { return nil }
      let count = text.count - point - 1
      // Not a plain number of digits if it has an exponent.
      guard count <= Self.digitCountMax, let whole = text.number(0..<point),
        let fraction = text.number((point + 1)..<text.count)
      else { return nil }
      return (whole, fraction, count)
    }
    guard let parts else { return nil }
    self.init(
      whole: Int(parts.whole), fraction: parts.fraction, digitCount: parts.count,
      isNegative: seconds < 0)
  }

  private init(whole: Int, fraction: UInt64, digitCount: Int, isNegative: Bool) {
    guard isNegative else {
      self.init(whole: whole, fraction: fraction, digitCount: digitCount)
      return
    }
    let rest = fraction == 0 ? 0 : Self.power(digitCount) - fraction
    self.init(whole: -whole - (rest > 0 ? 1 : 0), fraction: rest, digitCount: digitCount)
  }

  /// The nearest number.
  var value: Double? {
    let isNegative = whole < 0 && fraction > 0
    let whole = UInt64((isNegative ? self.whole + 1 : self.whole).magnitude)
    let fraction = isNegative ? Self.power(digitCount) - fraction : fraction
    let magnitude: Double?
    // IEEE 754 rounds a quotient only once if both operands are exact.
    if digitCount <= 15, whole < (1 << 53) / Self.power(digitCount) {
      magnitude = Double(whole * Self.power(digitCount) + fraction) / Double(Self.power(digitCount))
    } else {
      magnitude = Double("\(whole).\(fraction.digits(digitCount))")
    }
    return magnitude.map { self.whole < 0 ? -$0 : $0 }
  }

  private static func power(_ exponent: Int) -> UInt64 {
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The number that these digits write; nil if there is another character.
  fileprivate func number(_ range: Range<Int>) -> UInt64? {
    var number: UInt64 = 0
    for index in range {
      let digit = self[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      number = number * 10 + UInt64(digit)
    }
    return number
  }
}

extension TextBuffer {
  fileprivate mutating func append(digits number: UInt64, count: Int) {
    let target = extend(by: count)
    var rest = number
    for index in (0..<count).reversed() {
      target[index] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
  }
}
