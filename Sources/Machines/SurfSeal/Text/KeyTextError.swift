/// What is wrong with the text of a key. It never repeats a letter that a key may have.
package enum KeyTextError: Error, Hashable, Sendable {
  /// It does not begin with `statesurf-`.
  case noKey
  /// It begins as keys of ssh and TLS do.
  case otherProgram
  /// It is a key neither to drive nor to watch.
  case kind
  /// It is of a version that is not known here.
  case version
  /// So many octets follow upon the version, and not 57.
  case length(Int)
  /// What is at this place, the first being 1, is no letter of a key.
  case letter(UInt8, place: Int)
  /// Another octet is where the hyphen before the checksum must be.
  case hyphen
  /// The last of the 52 letters has bits that no key of 256 has.
  case lastLetter
  /// One letter at least is another one's.
  case checksum
}

extension KeyTextError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noKey: "this is no key: keys begin with statesurf-drive-1- or statesurf-watch-1-"
    case .otherProgram: "this is a key of another program, such as ssh"
    case .kind: "this key is neither of the kind drive nor of the kind watch"
    case .version: "this key is of a version that is not known here"
    case .length(let count) where count < GroupKeyText.bodyCount:
      "this key is cut off: \(GroupKeyText.bodyCount - count) of its letters are missing"
    case .length(let count):
      "this key is too long: it has \(count - GroupKeyText.bodyCount) letters too many"
    case .letter(let octet, let place):
      "\(Self.name(octet)) at place \(place) is no letter of a key"
    case .hyphen: "the hyphen before the last four letters is missing, or at another place"
    case .lastLetter: "the last letter before the checksum is wrong"
    case .checksum: "the checksum says that a letter of this key is wrong"
    }
  }

  /// What to do about it.
  package var mend: String {
    switch self {
    case .noKey: "put # before what is no key, or make one: statesurf key new"
    case .otherProgram:
      "leave it where it is, and name StateSurf's own file: statesurf key new FILE"
    case .version: "use the statesurf that made it, or make one: statesurf key new"
    case .letter(let octet, _): Self.mend(octet)
    case .kind, .length, .hyphen, .lastLetter, .checksum: "copy the line again from where it came"
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

  private static func mend(_ octet: UInt8) -> String {
    switch octet {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): "write it in small letters"
    case UInt8(ascii: "0"): "is it the letter o? keys have the digits 2 to 7 alone"
    case UInt8(ascii: "1"): "is it the letter l or i? keys have the digits 2 to 7 alone"
    case UInt8(ascii: "8"): "is it the letter b? keys have the digits 2 to 7 alone"
    default: "keys have the letters a to z and the digits 2 to 7: copy the line again"
    }
  }
}
