/// Why bytes are not JSON, and where.
package typealias JSONError = SyntaxError<JSONFault>

package enum JSONFault: Hashable, Sendable {
  /// The text ends inside a value.
  case unexpectedEnd
  /// A byte that is not allowed here.
  case unexpectedByte(UInt8)
  /// Bytes after a complete value.
  case trailingBytes
  /// A control character in a string, which must be escaped.
  case controlCharacter(UInt8)
  /// An unknown escape.
  case invalidEscape
  /// Half of a UTF-16 pair: `\ud800` alone.
  case loneSurrogate
  /// Bytes in a string that are not UTF-8.
  case invalidUTF8
  /// More than `JSON.depthMax` levels of arrays and objects.
  case tooDeep
  /// A duplicate key in an object. Only `JSON.check` throws this.
  case repeatedKey
}

extension JSONError {
  init(_ reason: JSONFault, at offset: Int, in bytes: [UInt8]) {
    let before = bytes.prefix(offset)
    let start = before.lastIndex(of: ASCII.lineFeed).map { $0 + 1 } ?? 0
    // Bytes 10xxxxxx continue a scalar, so they do not start a column.
    let columns = before[start...].count { $0 & 0b1100_0000 != 0b1000_0000 }
    self.init(
      reason, line: before.count { $0 == ASCII.lineFeed } + 1, column: columns + 1)
  }
}

extension JSONFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unexpectedEnd: "the text ends inside a value"
    case .unexpectedByte(let byte): "unexpected \(Self.name(of: byte))"
    case .trailingBytes: "text after the end of the value"
    case .controlCharacter(let byte): "\(Self.name(of: byte)) in a string must be escaped"
    case .invalidEscape: "unknown escape in a string"
    case .loneSurrogate: "half of a surrogate pair in a string"
    case .invalidUTF8: "a string that is not UTF-8"
    case .tooDeep: "more than \(JSON.depthMax) levels of nesting"
    case .repeatedKey: "a key that this object has already"
    }
  }

  private static func name(of byte: UInt8) -> String {
    switch byte {
    case 0x21...0x7e: "'\(Character(Unicode.Scalar(byte)))'"
    default: "byte 0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
  }
}

/// Why a JSON or JavaScript text is malformed, and where.
package struct SyntaxError<Reason: Hashable & Sendable & CustomStringConvertible>: Error, Hashable {
  package let reason: Reason
  /// From 1. Lines end with a line feed.
  package let line: Int
  /// In Unicode scalars within the line, from 1.
  package let column: Int

  package init(_ reason: Reason, line: Int, column: Int) {
    self.reason = reason
    self.line = line
    self.column = column
  }
}

extension SyntaxError: CustomStringConvertible {
  /// One line for people: `line 2, column 7: unexpected '}'`.
  package var description: String { "line \(line), column \(column): \(reason)" }
}
