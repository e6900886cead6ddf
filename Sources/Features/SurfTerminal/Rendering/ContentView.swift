import JSONTree
import SurfWire

/// A state or payload for people: JSON laid out, text as it is, and all else in hexadecimal.
enum ContentView {
  static func actions(_ content: Content) -> [CommandAction] {
    do throws(JSONError) {
      let json = try JSON(parsing: content.bytes)
      return [.printBytes(EventJSON.bytes(json, .pretty))]
    } catch {
      return (text(content.bytes) ?? hexadecimal(content.bytes)).map(CommandAction.print)
    }
  }

  /// Nil if the bytes are not text that a person could read.
  private static func text(_ bytes: [UInt8]) -> [Line]? {
    guard let text = String(validating: bytes, as: UTF8.self), !text.contains("\0") else {
      return nil
    }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { Line(String($0)) }
  }

  /// `00000010  7b 22 61 22 3a 31 7d 00  …  {"a":1}.`, sixteen bytes a line.
  static func hexadecimal(_ bytes: [UInt8]) -> [Line] {
    stride(from: 0, to: bytes.count, by: 16).map { offset in
      let row = bytes[offset..<min(offset + 16, bytes.count)]
      let digits = row.map { rightPadded(String($0, radix: 16), 2) }.joined(separator: " ")
      let letters = row.map { (0x20...0x7E).contains($0) ? String(UnicodeScalar($0)) : "." }
      return Line([
        Span(rightPadded(String(offset, radix: 16), 8), .dim),
        Span("  " + padded(digits, 47) + "  "), Span(letters.joined(), .accent),
      ])
    }
  }

  private static func rightPadded(_ digits: String, _ width: Int) -> String {
    String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
