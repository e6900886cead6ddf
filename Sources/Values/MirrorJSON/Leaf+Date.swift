import FoundationEssentials
import SurfBasics

extension Leaf {
  /// `2026-01-31T23:59:59.123Z`, to the nearest millisecond; out of JavaScript's range the seconds
  /// since 1970.
  static func text(_ date: Date) -> String {
    let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
    let text = Int(exactly: milliseconds).flatMap(CalendarDay.javaScriptText)
    return text ?? "\(date.timeIntervalSince1970)"
  }
}
