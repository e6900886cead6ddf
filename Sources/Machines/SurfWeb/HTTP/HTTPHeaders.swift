import SurfBasics

/// The header fields of a request or response, in order (RFC 9110 §5).
package struct HTTPHeaders: Equatable, Sendable {
  package struct Field: Equatable, Sendable {
    package let name: String
    package let value: String
  }

  package private(set) var fields: [Field] = []

  package init() {}

  /// Adds a line, even if the name has one already.
  package mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// The value of the first line with the name. Setting replaces all such lines. All names here
  /// are case-insensitive.
  package subscript(name: String) -> String? {
    get { fields.first { $0.name.utf8.equalsIgnoringCase(name.utf8) }?.value }
    set {
      fields.removeAll { $0.name.utf8.equalsIgnoringCase(name.utf8) }
      if let newValue { append(name, newValue) }
    }
  }

  /// The values of all lines with the name, in order. With `splittingLists`, the members of their
  /// comma-separated lists, trimmed and without empty ones (RFC 9110 §5.6.1).
  package func values(of name: String, splittingLists: Bool = false) -> [String] {
    let values = fields.filter { $0.name.utf8.equalsIgnoringCase(name.utf8) }.map(\.value)
    return splittingLists ? values.flatMap(Self.members) : values
  }

  /// Whether a comma-separated list of the name has the token, in any case.
  package func contains(_ name: String, token: String) -> Bool {
    values(of: name, splittingLists: true).contains { $0.utf8.equalsIgnoringCase(token.utf8) }
  }

  /// A comma inside a quoted string does not separate (RFC 9110 §5.6.4).
  private static func members(of list: String) -> [String] {
    var isQuoted = false
    var isEscaped = false
    let parts = Array(list.utf8).split { byte in
      if isEscaped {
        isEscaped = false
      } else if isQuoted && byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      }
      return byte == UInt8(ascii: ",") && !isQuoted
    }
    return parts.map(\.trimmed).filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
  }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, String)...) {
    self.init()
    for (name, value) in elements { append(name, value) }
  }
}

/// Reads the fields of a head or a trailer, up to the empty line (RFC 9112 §5).
struct FieldReader {
  private(set) var headers = HTTPHeaders()
  private var bytesLeft: Int
  private let countLimit: Int

  /// - Parameter bytesUsed: the bytes of the head before the first field.
  init(limits: HTTPLimits, bytesUsed: Int = 0) {
    bytesLeft = limits.headBytes - bytesUsed
    countLimit = limits.headerCount
  }

  /// Reads what has arrived; returns true once the empty line has been read.
  mutating func read(_ input: inout InputBuffer) throws(HTTPError) -> Bool {
    while let line = try input.takeLine(limit: bytesLeft, orThrow: .headTooLarge) {
      bytesLeft -= line.count + 2
      if line.isEmpty { return true }
      guard headers.fields.count < countLimit else { throw .headTooLarge }
      try add(line)
    }
    return false
  }

  /// Rejects folded lines and blanks before the colon: a name is a token, without blanks.
  private mutating func add(_ line: ArraySlice<UInt8>) throws(HTTPError) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), line[..<colon].isToken,
      let value = String(validating: line[(colon + 1)...].trimmed, as: UTF8.self)
    else { throw .malformedHeader }
    headers.append(String(decoding: line[..<colon], as: UTF8.self), value)
  }
}

/// The classes of bytes in HTTP's grammar (RFC 9110 §5.6.2).
enum Octet {
  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  static func isVisible(_ byte: UInt8) -> Bool { (0x21...0x7e).contains(byte) }

  /// Whether it is a control character other than a tab: no line may contain one.
  static func isForbiddenControl(_ byte: UInt8) -> Bool {
    byte < 0x20 && !isBlank(byte) || byte == 0x7f
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5a).contains(byte) ? byte + 0x20 : byte
  }

  static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}

extension Collection where Element == UInt8 {
  var isToken: Bool { !isEmpty && allSatisfy(Octet.isToken) }

  /// Compares as ASCII, ignoring case.
  func equalsIgnoringCase(_ other: some Collection<UInt8>) -> Bool {
    count == other.count
      && zip(self, other).allSatisfy { Octet.lowercased($0) == Octet.lowercased($1) }
  }
}

extension BidirectionalCollection where Element == UInt8 {
  /// Without blanks at either end (RFC 9110 §5.6.3).
  var trimmed: SubSequence {
    trimming(where: Octet.isBlank)
  }
}
