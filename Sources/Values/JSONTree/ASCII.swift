/// The bytes that JSON's grammar names.
package enum ASCII {
  package static let backspace: UInt8 = 0x08
  package static let tab: UInt8 = 0x09
  package static let lineFeed: UInt8 = 0x0a
  package static let formFeed: UInt8 = 0x0c
  package static let carriageReturn: UInt8 = 0x0d
  package static let space: UInt8 = 0x20
  package static let quote: UInt8 = 0x22
  package static let plus: UInt8 = 0x2b
  package static let comma: UInt8 = 0x2c
  package static let minus: UInt8 = 0x2d
  package static let period: UInt8 = 0x2e
  package static let slash: UInt8 = 0x2f
  package static let zero: UInt8 = 0x30
  package static let nine: UInt8 = 0x39
  package static let colon: UInt8 = 0x3a
  static let upperE: UInt8 = 0x45
  package static let openBracket: UInt8 = 0x5b
  package static let backslash: UInt8 = 0x5c
  package static let closeBracket: UInt8 = 0x5d
  package static let b: UInt8 = 0x62
  package static let e: UInt8 = 0x65
  package static let f: UInt8 = 0x66
  package static let n: UInt8 = 0x6e
  package static let r: UInt8 = 0x72
  package static let t: UInt8 = 0x74
  package static let u: UInt8 = 0x75
  package static let openBrace: UInt8 = 0x7b
  package static let closeBrace: UInt8 = 0x7d
  package static let delete: UInt8 = 0x7f
}
