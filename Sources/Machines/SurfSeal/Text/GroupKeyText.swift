/// Reads and writes the text of a key (Protocol.md §18.1): `statesurf-drive-1-`, 52 letters, a
/// hyphen and four letters of checksum.
///
/// Each letter has five bits, the first the most significant: 256 bits and four zeros.
enum GroupKeyText {
  static let prefix = "statesurf-"
  /// How the keys of other programs begin: PEM (RFC 7468 §2), and `authorized_keys`.
  static let otherPrefixes = ["-----BEGIN ", "ssh-", "ecdsa-sha2-"]
  static let version = "1"
  static let keyCount = 52
  /// Octets after the version and its hyphen.
  static let bodyCount = keyCount + 1 + KeyChecksum.letterCount

  static func text(of key: GroupKey) -> String {
    let letters = KeyLetter.values(of: key.octets.octets)
    var checksum = KeyChecksum()
    checksum.add([key.kind.letter] + letters)
    return "\(prefix)\(key.kind.rawValue)-\(version)-\(text(letters))-\(text(checksum.letters))"
  }

  private static func text(_ letters: [UInt8]) -> String {
    String(decoding: letters.map(KeyLetter.octet), as: UTF8.self)
  }

  static func parse(_ text: ArraySlice<UInt8>) throws(KeyTextError) -> GroupKey {
    guard text.starts(with: prefix.utf8) else {
      let isOther = otherPrefixes.contains { text.starts(with: $0.utf8) }
      throw isOther ? .otherProgram : .noKey
    }
    var rest = text.dropFirst(prefix.utf8.count)
    guard
      let kind = GroupKey.Kind.allCases.first(where: { rest.starts(with: "\($0.rawValue)-".utf8) })
    else { throw .kind }
    rest = rest.dropFirst(kind.rawValue.utf8.count + 1)
    guard rest.starts(with: "\(version)-".utf8) else { throw .version }
    let body = rest.dropFirst(version.utf8.count + 1)
    guard body.count == bodyCount else { throw .length(body.count) }
    return GroupKey(kind, try octets(body, of: kind, textStart: text.startIndex))
  }

  private static func octets(
    _ body: ArraySlice<UInt8>, of kind: GroupKey.Kind, textStart: Int
  ) throws(KeyTextError) -> Octets32 {
    var values: [UInt8] = []
    for index in body.indices {
      let isHyphenHere = index - body.startIndex == keyCount
      if isHyphenHere, body[index] == UInt8(ascii: "-") { continue }
      if isHyphenHere { throw .hyphen }
      guard let value = KeyLetter.value(of: body[index]) else {
        throw .letter(body[index], place: index - textStart + 1)
      }
      values.append(value)
    }
    var checksum = KeyChecksum()
    checksum.add([kind.letter] + values)
    guard checksum.isWhole else { throw .checksum }
    let letters = values.prefix(keyCount)
    let octets = KeyLetter.octets(of: letters)
    guard KeyLetter.values(of: octets).elementsEqual(letters), let key = Octets32(octets) else {
      throw .lastLetter
    }
    return key
  }
}

extension GroupKey {
  /// - Parameter text: the key alone, without surrounding blanks.
  package init(parsing text: ArraySlice<UInt8>) throws(KeyTextError) {
    self = try GroupKeyText.parse(text)
  }

  /// The secret key itself, for a key file, and for `statesurf key`, which prints it.
  package var text: String { GroupKeyText.text(of: self) }
}

extension GroupKey.Kind {
  /// The first letter of the checksum's input.
  fileprivate var letter: UInt8 {
    switch self {
    case .drive: 1
    case .watch: 2
    }
  }
}

/// Why a text is not a key. The description never reveals a valid letter of the text.
package enum KeyTextError: Error, Equatable, Sendable {
  /// It does not begin with `statesurf-`.
  case noKey
  /// It begins like keys of ssh or TLS.
  case otherProgram
  /// Its kind is neither drive nor watch.
  case kind
  /// This program does not know its version.
  case version
  /// This many octets follow the version, instead of 57.
  case length(Int)
  /// This octet, at this place counted from 1, cannot occur in a key.
  case letter(UInt8, place: Int)
  /// There is another octet in place of the hyphen before the checksum.
  case hyphen
  /// The last of the 52 letters has bits beyond the key's 256.
  case lastLetter
  /// At least one letter is wrong.
  case checksum
}

extension KeyTextError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noKey: "this is not a key: keys begin with statesurf-drive-1- or statesurf-watch-1-"
    case .otherProgram: "this is a key of another program, such as ssh"
    case .kind: "this is neither a drive key nor a watch key"
    case .version: "this program does not know this key's version"
    case .length(let count) where count < GroupKeyText.bodyCount:
      "this key is cut off: \(GroupKeyText.bodyCount - count) letters are missing"
    case .length(let count):
      "this key is too long: it has \(count - GroupKeyText.bodyCount) letters too many"
    case .letter(let octet, let place):
      "\(Self.name(octet)) at place \(place) cannot be in a key"
    case .hyphen: "the hyphen before the last four letters is missing or misplaced"
    case .lastLetter: "the last letter before the checksum is wrong"
    case .checksum: "the checksum does not match: a letter is wrong"
    }
  }

  package var fix: String {
    switch self {
    case .noKey: "put # before lines that are not keys, or make one: statesurf key new"
    case .otherProgram:
      "leave it where it is, and name StateSurf's own file: statesurf key new FILE"
    case .version: "use the statesurf that made it, or make one: statesurf key new"
    case .letter(let octet, _): Self.fix(octet)
    case .kind, .length, .hyphen, .lastLetter, .checksum: "copy the line again from its source"
    }
  }

  private static func name(_ octet: UInt8) -> String {
    switch octet {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): "a capital"
    case 0x21...0x7e: "\(Character(Unicode.Scalar(octet)))"
    case 0x20: "a space"
    default: "the octet 0x" + String(octet, radix: 16)
    }
  }

  private static func fix(_ octet: UInt8) -> String {
    switch octet {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): "write it in small letters"
    case UInt8(ascii: "0"): "is it the letter o? keys have only the digits 2 to 7"
    case UInt8(ascii: "1"): "is it the letter l or i? keys have only the digits 2 to 7"
    case UInt8(ascii: "8"): "is it the letter b? keys have only the digits 2 to 7"
    default: "keys have the letters a to z and the digits 2 to 7: copy the line again"
    }
  }
}
