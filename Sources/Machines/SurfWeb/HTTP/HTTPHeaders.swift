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

  /// Removes every line with the name. All names here are case-insensitive.
  package mutating func remove(_ name: String) {
    fields.removeAll { $0.name.utf8.equalsIgnoringCase(name.utf8) }
  }

  /// The value of the first line with the name. Setting replaces all such lines.
  package subscript(name: String) -> String? {
    get { fields.first { $0.name.utf8.equalsIgnoringCase(name.utf8) }?.value }
    set {
      remove(name)
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
      } else if isQuoted && byte == Octet.backslash {
        isEscaped = true
      } else if byte == Octet.quote {
        isQuoted.toggle()
      }
      return byte == Octet.comma && !isQuoted
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
    guard let colon = line.firstIndex(of: Octet.colon), line[..<colon].isToken,
      let value = String(validating: line[(colon + 1)...].trimmed, as: UTF8.self)
    else { throw .malformedHeader }
    headers.append(String(decoding: line[..<colon], as: UTF8.self), value)
  }
}

/// The bytes and byte classes in HTTP's grammar (RFC 9110 §5.6.2).
enum Octet {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0a
  static let carriageReturn: UInt8 = 0x0d
  static let space: UInt8 = 0x20
  static let quote: UInt8 = 0x22
  static let hash: UInt8 = 0x23
  static let percent: UInt8 = 0x25
  static let ampersand: UInt8 = 0x26
  static let plus: UInt8 = 0x2b
  static let comma: UInt8 = 0x2c
  static let period: UInt8 = 0x2e
  static let slash: UInt8 = 0x2f
  static let colon: UInt8 = 0x3a
  static let semicolon: UInt8 = 0x3b
  static let equals: UInt8 = 0x3d
  static let backslash: UInt8 = 0x5c
  static let delete: UInt8 = 0x7f

  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  static func isVisible(_ byte: UInt8) -> Bool { (0x21...0x7e).contains(byte) }

  /// Whether it is a control character other than a tab: no line may contain one.
  static func isForbiddenControl(_ byte: UInt8) -> Bool {
    byte < space && byte != tab || byte == delete
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

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
