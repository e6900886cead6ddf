import JSONTree
import SurfBasics
import SurfTimeline
import SurfWire
import TerminalScreen

/// Prints the state or the payload of a row, for `show`.
struct StateView {
  let options: ShowOptions
  let row: SequenceNumber
  let instance: Instance

  /// - Parameter content: nil for an initial state that the app does not send.
  func actions(_ content: Content?) throws(Failure) -> [CommandAction] {
    switch options.form {
    case .raw: return [.write(content?.bytes ?? [], path: nil)]
    case .json: return [.printBytes(try line(content))]
    case .laidOut:
      guard let content else { return [.print(Line("(the initial state: no record carries it)"))] }
      guard !options.path.elements.isEmpty else { return ContentView.actions(content) }
      return [.printBytes(EventJSON.bytes(try value(content), .pretty))]
    }
  }

  /// `event: "state"` or `"payload"`, `row`, `path`, and `value` if it is known.
  private func line(_ content: Content?) throws(Failure) -> [UInt8] {
    var members: JSONObject = [
      "row": .number(row), "path": .string(options.path.description),
    ]
    if let content { members["value"] = try value(content) }
    return EventJSON.line(options.part.rawValue, instance, members)
  }

  private func value(_ content: Content) throws(Failure) -> JSON {
    guard let payload = PayloadJSON(content) else { return .null }
    guard !options.path.elements.isEmpty else { return payload.json }
    let owner = "the \(options.part.rawValue) of row \(row) of \(instance.label)"
    guard case .json(let json) = payload else {
      throw Failure("\(owner) is \(payload.text), not JSON", meaning: "It has no places.")
    }
    if let value = json[options.path.pointer] { return value }
    throw Failure(
      lacking: "\(owner) has no", options.path, in: json, of: row, options.part, in: instance)
  }
}

/// Prints a state or payload for people: JSON indented, text unchanged, and other bytes in
/// hexadecimal.
enum ContentView {
  static func actions(_ content: Content) -> [CommandAction] {
    do throws(JSONError) {
      let json = try JSON(parsing: content.bytes)
      return [.printBytes(EventJSON.bytes(json, .pretty))]
    } catch {
      return (text(content.bytes) ?? hexadecimal(content.bytes)).map(CommandAction.print)
    }
  }

  /// Nil if the bytes are not readable text.
  private static func text(_ bytes: [UInt8]) -> [Line]? {
    guard let text = String(validating: bytes, as: UTF8.self), !text.contains("\0") else {
      return nil
    }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { Line(String($0)) }
  }

  /// `00000010  7b 22 61 22 3a 31 7d 00  …  {"a":1}.`, sixteen bytes per line.
  static func hexadecimal(_ bytes: [UInt8]) -> [Line] {
    stride(from: 0, to: bytes.count, by: 16).map { offset in
      let row = bytes[offset..<min(offset + 16, bytes.count)]
      let digits = row.map { $0.digits(2, radix: 16) }.joined(separator: " ")
      let letters = row.map { (0x20...0x7E).contains($0) ? String(UnicodeScalar($0)) : "." }
      return Line([
        Span(offset.digits(8, radix: 16), .dim),
        Span("  " + padded(digits, 47) + "  "), Span(letters.joined(), .accent),
      ])
    }
  }
}

extension EventJSON {
  /// JSON and a line feed. Escapes characters that could control a terminal or be invisible.
  static func bytes(_ json: JSON, _ style: JSON.Style) -> [UInt8] {
    let bytes = json.bytes(style, sortedKeys: true)
    return (bytes.allSatisfy(isPlain) ? bytes : harmless(bytes)) + [ASCII.lineFeed]
  }

  /// Most lines contain only such octets, and their scalars need not be examined.
  private static func isPlain(_ byte: UInt8) -> Bool {
    ASCII.space..<ASCII.delete ~= byte || byte == ASCII.lineFeed
  }

  private static func harmless(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if scalar == "\n" || !scalar.isHarmful && !scalar.isUnseen {
        result += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      } else {
        // Beyond the basic plane, two escapes (RFC 8259 §7).
        for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
          result += "\\u\(unit.digits(4, radix: 16))".utf8
        }
      }
    }
    return result
  }
}
