/// A day of the proleptic Gregorian calendar.
///
/// Computes in years that begin in March, so that the leap day is the last day of its year.
package struct CalendarDay: Sendable {
  package let year: Int
  package let month: Int
  package let day: Int

  /// Days from 0000-03-01 to 1970-01-01.
  private static let referenceDay = 719_468
  /// Days in 400 years.
  private static let eraSize = 146_097

  /// - Parameter number: days since 1970-01-01.
  package init(number: Int) {
    let days = number + Self.referenceDay
    let era = days.floored(by: Self.eraSize)
    let dayOfEra = days - era * Self.eraSize
    let leaps = dayOfEra / 1_460 - dayOfEra / 36_524 + dayOfEra / (Self.eraSize - 1)
    let yearOfEra = (dayOfEra - leaps) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    // Five months from March have 31 + 30 + 31 + 30 + 31 = 153 days.
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }
}

extension CalendarDay {
  /// A time as JavaScript prints dates (ECMA-262 §21.4.1.32): `2026-01-31T23:59:59.123Z`. Years
  /// beyond four digits have a sign and six digits.
  ///
  /// - Parameter milliseconds: since 1970. The result is nil beyond ±8.64e15, JavaScript's limit.
  package static func javaScriptText(milliseconds: Int) -> String? {
    guard milliseconds.magnitude <= 8_640_000_000_000_000 else { return nil }
    let number = milliseconds.floored(by: 86_400_000)
    let (day, rest) = (CalendarDay(number: number), milliseconds - number * 86_400_000)
    let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60]
    return text(year: day.year) + "-\(day.month.digits(2))-\(day.day.digits(2))T"
      + time.map { $0.digits(2) }.joined(separator: ":") + ".\((rest % 1_000).digits(3))Z"
  }

  private static func text(year: Int) -> String {
    if 0...9_999 ~= year { return year.digits(4) }
    return (year < 0 ? "-" : "+") + abs(year).digits(6)
  }
}

extension Int {
  /// The quotient, rounded down.
  package func floored(by divisor: Int) -> Int {
    self / divisor - (self % divisor < 0 ? 1 : 0)
  }
}

extension BinaryInteger {
  /// The digits, padded with zeros to `count`. Not for negative numbers.
  package func digits(_ count: Int, radix: Int = 10) -> String {
    let digits = String(self, radix: radix)
    return String(repeating: "0", count: Swift.max(0, count - digits.count)) + digits
  }
}
