import JSONTree
import SurfBasics
import TerminalScreen

extension EventJSON {
  /// JSON that stays JSON, cannot drive a terminal and hides nothing, with a line feed.
  static func bytes(_ json: JSON, _ style: JSON.Style) -> [UInt8] {
    let bytes = json.bytes(style, sortedKeys: true)
    return (bytes.allSatisfy(isPlain) ? bytes : harmless(bytes)) + [ASCII.lineFeed]
  }

  /// Most lines are of such octets alone, and their scalars need not be looked at.
  private static func isPlain(_ byte: UInt8) -> Bool {
    ASCII.space..<ASCII.delete ~= byte || byte == ASCII.lineFeed
  }

  private static func harmless(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if scalar == "\n" || !scalar.isHarmful && !scalar.isUnseen {
        result += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      } else {
        // Beyond the basic plane, two of them (RFC 8259 §7).
        for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
          result += "\\u\(unit.digits(4, radix: 16))".utf8
        }
      }
    }
    return result
  }
}
