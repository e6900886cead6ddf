import SurfBasics

extension KeyRing {
  package static let keyCountMax = 64
  /// Octets of a key file, comments included.
  package static let textSizeMax = 65_536

  /// Reads a key file: one key per line, comments after `#`, empty lines. Accepts Windows line
  /// ends.
  package init(parsing text: [UInt8]) throws(KeyRingError) {
    guard text.count <= Self.textSizeMax else { throw .tooLarge(octets: text.count) }
    var keys: [GroupKey] = []
    let lines = Self.withoutMark(text).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      guard let key = try Self.key(in: line, number: index + 1), !keys.contains(key) else {
        continue
      }
      guard keys.count < Self.keyCountMax else { throw .tooManyKeys(line: index + 1) }
      keys.append(key)
    }
    guard let first = keys.first else { throw .empty }
    self.init(first, Array(keys.dropFirst()))
  }

  /// Nil if the line has only blanks or a comment.
  private static func key(
    in line: ArraySlice<UInt8>, number: Int
  ) throws(KeyRingError) -> GroupKey? {
    let text = line.prefix { $0 != UInt8(ascii: "#") }.trimming(where: blanks.contains)
    guard !text.isEmpty else { return nil }
    do {
      return try GroupKey(parsing: text)
    } catch {
      throw .line(number, error)
    }
  }

  private static let blanks: [UInt8] = Array(" \t\r".utf8)

  /// Drops the mark that Windows editors put before UTF-8.
  private static func withoutMark(_ text: [UInt8]) -> ArraySlice<UInt8> {
    text.dropFirst(text.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0)
  }
}

/// Why a text is not a key ring.
package enum KeyRingError: Error, Equatable, Sendable {
  /// It has no key.
  case empty
  case tooLarge(octets: Int)
  /// There are too many keys, from this line on.
  case tooManyKeys(line: Int)
  /// The first line that is neither a key, nor a comment, nor empty.
  case line(Int, KeyTextError)
}

extension KeyRingError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty: "there is no key in it"
    case .tooLarge(let count):
      "it is too large for a key file: \(count) octets; the limit is \(KeyRing.textSizeMax)"
    case .tooManyKeys(let line):
      "line \(line): too many keys; the limit is \(KeyRing.keyCountMax)"
    case .line(let line, let error): "line \(line): \(error)"
    }
  }

  package var fix: String {
    switch self {
    case .empty: "make a key: statesurf key new"
    case .tooLarge: "is it another file? a key takes 75 octets"
    case .tooManyKeys: "remove the lines of keys that no app uses any more"
    case .line(_, let error): error.fix
    }
  }
}
