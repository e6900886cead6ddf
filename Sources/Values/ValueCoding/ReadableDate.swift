import FoundationEssentials

/// ISO 8601 with as many digits as it takes to restore exactly the same date.
enum ReadableDate {
  /// Such a text, seconds since 2001, and any other ISO 8601 that people write.
  static func decode(from decoder: any Decoder) throws -> Date {
    let container = try decoder.singleValueContainer()
    let text: String
    do { text = try container.decode(String.self) } catch {
      return Date(timeIntervalSinceReferenceDate: try container.decode(Double.self))
    }
    if let date = date(text) { return date }
    throw DecodingError.dataCorruptedError(
      in: container, debugDescription: "\(text) is no date: 2026-11-22T08:30:00Z is one")
  }

  private static let style = Date.ISO8601FormatStyle()
  /// Seconds since 2001 of the years 1 and 10000.
  private static let written = -63_113_904_000.0..<252_423_993_600.0

  /// `2026-11-22T08:30:00.25Z`; nil outside of the years 1 to 9999, which have no such text. Such a
  /// date is written in seconds since 2001, as `JSONEncoder` does.
  static func text(of date: Date) -> String? {
    let seconds = date.timeIntervalSinceReferenceDate
    guard written.contains(seconds) else { return nil }
    let whole = seconds.rounded(.down)
    let text = style.format(Date(timeIntervalSinceReferenceDate: whole))
    guard seconds != whole else { return text }
    // A `Double` of these years has at most 16 digits behind the point that matter.
    for count in 1...16 {
      let candidate = "\(text.dropLast()).\(digits(seconds - whole, count))Z"
      if Self.date(candidate) == date { return candidate }
    }
    return nil
  }

  private static func digits(_ fraction: Double, _ count: Int) -> String {
    let scale = (0..<count).reduce(1.0) { scale, _ in scale * 10 }
    // A fraction that rounds up to a whole second will not be restored as one.
    let scaled = (fraction * scale).rounded()
    let text = scaled < scale ? String(UInt64(scaled)) : "0"
    return String(repeating: "0", count: count - text.count) + text
  }

  static func date(_ text: String) -> Date? {
    let parts = text.split(separator: ".", maxSplits: 1)
    guard parts.count == 2 else { return whole(text) }
    let fraction = parts[1].prefix { ("0"..."9").contains($0) }
    let zone = parts[1].dropFirst(fraction.count)
    guard let whole = whole(parts[0] + zone), let part = Double("0.\(fraction)") else {
      return nil
    }
    return Date(timeIntervalSinceReferenceDate: whole.timeIntervalSinceReferenceDate + part)
  }

  private static func whole(_ text: some StringProtocol) -> Date? {
    do { return try style.parse(String(text)) } catch { return nil }
  }
}
