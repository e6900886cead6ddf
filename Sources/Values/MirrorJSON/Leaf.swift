import FoundationEssentials
import JSONTree
import SurfBasics

/// Writes values that have no parts, such as strings, numbers, dates and URLs.
enum Leaf {
  /// The JSON of `value`; `nil` if it is not a leaf.
  static func bytes(_ value: Any) -> [UInt8]? {
    switch value {
    // Common types first: a check for protocol conformance is slower.
    case let value as String: quoted(value)
    case let value as Int: Array(String(value).utf8)
    case let value as Double: number(value)
    case let value as Bool: Array((value ? "true" : "false").utf8)
    case let value as any BinaryInteger: Array(String(value).utf8)
    case let value as any BinaryFloatingPoint: number(value)
    case let value as any StringProtocol: quoted(String(value))
    case let value as Character: quoted(String(value))
    case let value as Unicode.Scalar: quoted(String(Character(value)))
    default: foundation(value)
    }
  }

  private static func foundation(_ value: Any) -> [UInt8]? {
    switch value {
    case let value as Data: quoted(value.base64EncodedString())
    case let value as Date: quoted(text(value))
    case let value as URL: quoted(value.absoluteString)
    case let value as UUID: quoted(value.uuidString)
    case let value as Decimal: value.isNaN ? quoted("nan") : Array(value.description.utf8)
    case let value as any Any.Type: quoted(String(describing: value))
    // A key path's description may contain an address, which differs in every run. Check the type
    // instead of casting: casting a collection to a class first bridges all its contents.
    case _ where type(of: value) is AnyKeyPath.Type: quoted(String(describing: type(of: value)))
    default: nil
    }
  }

  /// The shortest text that reads back as `value`, without the `.0` of a whole number, as
  /// `JSONEncoder` writes it. JSON has no `nan` and no infinity: they become strings.
  private static func number(_ value: some BinaryFloatingPoint) -> [UInt8] {
    if value.isNaN { return quoted("nan") }
    if value.isInfinite { return quoted(value < 0 ? "-inf" : "inf") }
    let text = "\(value)"
    return Array((text.hasSuffix(".0") ? String(text.dropLast(2)) : text).utf8)
  }

  /// `text` as a JSON string. All control characters are escaped, including DEL and C1, so that the
  /// text cannot control a terminal.
  static func quoted(_ text: String) -> [UInt8] { JSON.string(text).bytes() }

  /// Escapes DEL and C1 in valid JSON, where they can occur only inside strings.
  static func withoutControls(_ json: [UInt8]) -> [UInt8] {
    guard json.contains(where: { $0 == 0x7f || $0 == 0xc2 }) else { return json }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(json.count + 16)
    for byte in json {
      // U+0080 to U+009F are 0xc2, then a byte equal to the scalar's number.
      if bytes.last == 0xc2, 0x80..<0xa0 ~= byte {
        bytes.removeLast()
        bytes += escaped(byte)
      } else if byte == 0x7f {
        bytes += escaped(byte)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }

  private static func escaped(_ byte: UInt8) -> [UInt8] {
    Array("\\u00\(String(byte, radix: 16))".utf8)
  }
}

extension Leaf {
  /// `2026-01-31T23:59:59.123Z`, to the nearest millisecond. Dates out of JavaScript's range are
  /// written as seconds since 1970.
  static func text(_ date: Date) -> String {
    let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
    let text = Int(exactly: milliseconds).flatMap(CalendarDay.javaScriptText)
    return text ?? "\(date.timeIntervalSince1970)"
  }
}
