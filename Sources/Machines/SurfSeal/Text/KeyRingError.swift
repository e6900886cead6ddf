/// Why a file's text is no key ring.
package enum KeyRingError: Error, Hashable, Sendable {
  /// It has comments and empty lines alone, or nothing.
  case empty
  /// It is larger than a key ring may be.
  case tooLarge(octets: Int)
  /// The key of this line is one too many.
  case tooManyKeys(line: Int)
  /// The first line that is neither a key, nor a comment, nor empty.
  case line(Int, KeyTextError)
}

extension KeyRingError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty: "there is no key in it"
    case .tooLarge(let count):
      "it is too large for a key file: \(count) octets, of at most \(KeyRing.textSizeMax)"
    case .tooManyKeys(let line):
      "line \(line): the key there is one too many, of at most \(KeyRing.keyCountMax)"
    case .line(let line, let error): "line \(line): \(error)"
    }
  }

  /// What to do about it.
  package var mend: String {
    switch self {
    case .empty: "make a key: statesurf key new"
    case .tooLarge: "is it another file? a key takes 75 octets"
    case .tooManyKeys: "remove the lines of keys that no app uses any more"
    case .line(_, let error): error.mend
    }
  }
}
