import FoundationEssentials

extension Leaf {
  /// `2026-01-31T23:59:59.123Z`, to the nearest millisecond, years beyond four digits as
  /// ECMA-262 §21.4.1.32 writes them; out of its range the seconds since 1970.
  static func text(_ date: Date) -> String {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    guard abs(milliseconds) <= 8.64e15 else { return "\(date.timeIntervalSince1970)" }
    let (day, rest) = floorDivide(Int64(milliseconds), 86_400_000)
    let (year, month, dayOfMonth) = civil(day)
    let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60]
    return text(year: year) + "-\(padded(month, 2))-\(padded(dayOfMonth, 2))T"
      + time.map { padded($0, 2) }.joined(separator: ":") + ".\(padded(rest % 1000, 3))Z"
  }

  /// Year, month and day of the Gregorian calendar, `day` days after 1970-01-01.
  ///
  /// Counts in years that begin in March, so that the leap day is the last of its year.
  private static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = floorDivide(day + 719_468, 146_097)
    let leaps = dayOfEra / 1460 - dayOfEra / 36_524 + dayOfEra / 146_096
    let yearOfEra = (dayOfEra - leaps) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let march = (5 * dayOfYear + 2) / 153
    let month = march < 10 ? march + 3 : march - 9
    let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * march + 2) / 5 + 1)
  }

  private static func floorDivide(_ value: Int64, _ by: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: by)
    return remainder < 0 ? (quotient - 1, remainder + by) : (quotient, remainder)
  }

  private static func text(year: Int64) -> String {
    if 0...9999 ~= year { return padded(year, 4) }
    return (year < 0 ? "-" : "+") + padded(abs(year), 6)
  }

  private static func padded(_ value: Int64, _ width: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}
