/// How a key is written: `statesurf-drive-1-`, 52 letters, a hyphen and four letters of checksum.
///
/// Letters are five bits each, the first the most significant: 256 bits and four zeros.
enum GroupKeyText {
  static let prefix = "statesurf-"
  /// What texts of other programs' keys begin with: PEM (RFC 7468 §2), and `authorized_keys`.
  static let otherPrefixes = ["-----BEGIN ", "ssh-", "ecdsa-sha2-"]
  static let version = "1"
  static let keyCount = 52
  /// Octets behind the version and its hyphen.
  static let bodyCount = keyCount + 1 + KeyChecksum.letterCount

  enum Kind: String, CaseIterable {
    case drive, watch

    /// What the checksum begins with.
    var letter: UInt8 {
      switch self {
      case .drive: 1
      case .watch: 2
      }
    }
  }

  static func text(of kind: Kind, _ octets: Octets32) -> String {
    let letters = KeyLetter.values(of: octets.octets)
    var checksum = KeyChecksum()
    checksum.add([kind.letter] + letters)
    return "\(prefix)\(kind.rawValue)-\(version)-\(text(letters))-\(text(checksum.letters))"
  }

  private static func text(_ letters: [UInt8]) -> String {
    String(decoding: letters.map(KeyLetter.octet), as: UTF8.self)
  }

  static func parse(_ text: ArraySlice<UInt8>) throws(KeyTextError) -> (Kind, Octets32) {
    guard text.starts(with: prefix.utf8) else {
      let isOther = otherPrefixes.contains { text.starts(with: $0.utf8) }
      throw isOther ? .otherProgram : .noKey
    }
    var rest = text.dropFirst(prefix.utf8.count)
    guard let kind = Kind.allCases.first(where: { rest.starts(with: "\($0.rawValue)-".utf8) })
    else { throw .kind }
    rest = rest.dropFirst(kind.rawValue.utf8.count + 1)
    guard rest.starts(with: "\(version)-".utf8) else { throw .version }
    let body = rest.dropFirst(version.utf8.count + 1)
    guard body.count == bodyCount else { throw .length(body.count) }
    return (kind, try key(body, of: kind, textStart: text.startIndex))
  }

  private static func key(
    _ body: ArraySlice<UInt8>, of kind: Kind, textStart: Int
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
  /// - Parameter text: of the key alone, without blanks around it.
  package init(parsing text: ArraySlice<UInt8>) throws(KeyTextError) {
    let (kind, octets) = try GroupKeyText.parse(text)
    self =
      switch kind {
      case .drive: .drive(DriveKey(octets))
      case .watch: .watch(WatchKey(octets))
      }
  }

  /// The key itself, for a key file and for nothing else.
  package var text: String {
    switch self {
    case .drive(let key): GroupKeyText.text(of: .drive, key.octets)
    case .watch(let key): GroupKeyText.text(of: .watch, key.octets)
    }
  }
}
