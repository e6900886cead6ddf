import Foundation
import TestSupport

/// Makes values of every shape that a seed leads to.
struct ShapeMaker {
  var random: SeededGenerator
  /// Without containers that others open: `JSONEncoder` leaves their keys out of the paths of
  /// errors.
  let isPlain: Bool

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    isPlain = seed.isMultiple(of: 2)
  }

  mutating func shape(_ depth: Int = 0) -> Shape {
    guard depth < 5, !chance(6) else { return .leaf(leaf()) }
    switch below(25) {
    case 0..<7: return .object(objectSteps(depth))
    case 7..<11: return .array(arraySteps(depth))
    case 11..<13: return .place(shape(depth + 1))
    case 13: return .optional(chance(2) ? nil : shape(depth + 1))
    case 14..<17: return .named(dictionary(depth) { $0.key() })
    case 17: return .numbered(dictionary(depth) { $0.below(40) - 20 })
    // Of several pairs only we know an order.
    case 18: return .paired(chance(5) ? [:] : [chance(2): .leaf(finiteLeaf())])
    case 19..<21: return .list((0..<below(5)).map { _ in shape(depth + 1) })
    case 21: return .nothing
    case 23: return .secret(shape(depth + 1))
    case 22: return chance(10) ? .failing : .nothing
    default: return .leaf(leaf())
    }
  }

  /// Opens a container only under a fresh key: `JSONEncoder` ends the program if the key already
  /// has another value.
  private mutating func objectSteps(_ depth: Int) -> [Shape.ObjectStep] {
    var used: Set<String> = []
    return (0..<below(7)).map { number in
      let key = key()
      guard !isPlain, used.insert(key).inserted, chance(2) else {
        used.insert(key)
        if chance(3) { return .leaf(key, leaf()) }
        if chance(8) { return .secret(key, chance(2) ? nil : shape(depth + 1)) }
        return chance(5)
          ? .ifPresent(key, chance(2) ? nil : shape(depth + 1)) : .value(key, shape(depth + 1))
      }
      switch below(5) {
      case 0, 1: return .object(key, depth < 4 ? objectSteps(depth + 1) : [])
      case 2: return .array(key, depth < 4 ? arraySteps(depth + 1) : [])
      case 3: return .parent(chance(2) ? nil : key, shape(depth + 1))
      default: return .turns("one \(number)", "two \(number)", (0..<below(4)).map { _ in leaf() })
      }
    }
  }

  private mutating func arraySteps(_ depth: Int) -> [Shape.ArrayStep] {
    (0..<below(6)).map { _ in
      guard !isPlain, chance(2) else {
        return chance(3) ? .leaf(leaf()) : .value(shape(depth + 1))
      }
      switch below(5) {
      case 0, 1: return .object(depth < 4 ? objectSteps(depth + 1) : [])
      case 2: return .array(depth < 4 ? arraySteps(depth + 1) : [])
      case 3: return .parent(shape(depth + 1))
      default: return .turns((0..<below(4)).map { _ in leaf() })
      }
    }
  }

  private mutating func dictionary<Key: Hashable>(
    _ depth: Int, _ key: (inout ShapeMaker) -> Key
  ) -> [Key: Shape] {
    var dictionary: [Key: Shape] = [:]
    // The order of a set's hashes differs in each process: of two errors any may come first.
    for _ in 0..<below(5) { dictionary[key(&self)] = .leaf(finiteLeaf()) }
    return dictionary
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
  mutating func chance(_ count: Int) -> Bool { below(count) == 0 }
}

extension ShapeMaker {
  private static let pieces = [
    "a", "b", "id", "title", "isDone", "/", "\"", "\\", "\n", "\t", "\u{1}", "\u{1f}", "\u{7f}",
    "\u{8}", "\u{c}", "\r", "\u{0}", "é", "😀", "\u{2028}", "\u{fffd}", "longer than eight",
    "https://localhost/x",
  ]

  private mutating func key() -> String {
    chance(6) ? text() : ["a", "b", "c", "id", "title", "isDone", "description of it"][below(7)]
  }

  private mutating func text() -> String {
    let text = (0..<below(5)).map { _ in Self.pieces[below(Self.pieces.count)] }.joined()
    return chance(8) ? String(repeating: text, count: 20) : text
  }

  private mutating func double() -> Double {
    switch below(8) {
    case 6: return Double(below(2_000_000_000) - 1_000_000_000) / [1e3, 1e5, 1e6, 1e9][below(4)]
    case 7: return Double(below(1 << 50)) / [1e4, 1e6, 1e7][below(3)]
    case 0: return Double(bitPattern: random.next())
    case 1: return Double(Int.random(in: -1000...1000, using: &random))
    case 2: return Double(Int.random(in: -1000...1000, using: &random)) / 8
    case 3: return 0x1p53 + Double(below(9) - 4)
    case 4:
      return [0, -0.0, 1e16, -1e-7, .leastNonzeroMagnitude, .greatestFiniteMagnitude][below(6)]
    default: return chance(40) ? .nan : Double.random(in: -1...1, using: &random)
    }
  }

  private mutating func finite() -> Double {
    let double = double()
    return double.isFinite ? double : 0
  }

  private mutating func float() -> Float {
    let float =
      chance(2)
      ? Float(bitPattern: UInt32.random(in: 0...UInt32.max, using: &random)) : Float(below(9)) / 4
    return float.isFinite || chance(40) ? float : 0x1p24
  }

  private mutating func date() -> Date { Date(timeIntervalSinceReferenceDate: finite()) }

  mutating func finiteLeaf() -> EncodedLeaf {
    switch below(3) {
    case 0: .string(text())
    case 1: .int(below(1000))
    default: .ints((0..<below(4)).map { _ in below(100) - 50 })
    }
  }

  mutating func leaf() -> EncodedLeaf {
    let bits = random.next()
    switch below(34) {
    case 0: return .null
    case 1: return .bool(chance(2))
    case 2: return .float(float())
    case 3: return .int(Int(truncatingIfNeeded: bits))
    case 4: return .int8(Int8(truncatingIfNeeded: bits))
    case 5: return .int16(Int16(truncatingIfNeeded: bits))
    case 6: return .int32(Int32(truncatingIfNeeded: bits))
    case 7: return .int64([Int64.min, .max, 0, -1][below(4)])
    case 8: return .uint(UInt(bits))
    case 9: return .uint8(UInt8(truncatingIfNeeded: bits))
    case 10: return .uint16(UInt16(truncatingIfNeeded: bits))
    case 11: return .uint32(UInt32(truncatingIfNeeded: bits))
    case 12: return .uint64(bits >> UInt64(below(64)))
    case 13: return .wide(Int128(bits) * -1_000_000_007)
    case 14: return .uwide(UInt128(bits) << 60)
    case 15: return .date(date())
    case 16: return .data(Data(text().utf8))
    case 17: return .url(URL(fileURLWithPath: "/tmp/\(below(100))"))
    case 18:
      return .uuid(
        UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(below(255)))))
    case 19: return .decimal(Decimal(below(10_000)) / 16)
    case 20: return .ints((0..<below(9)).map { _ in below(1 << 40) - 1 << 20 })
    case 21: return .bytes((0..<below(9)).map { UInt8($0 * 31) })
    case 22: return .doubles((0..<below(5)).map { _ in finite() })
    case 23: return .strings((0..<below(5)).map { _ in text() })
    case 24: return .optionals((0..<below(5)).map { _ in chance(2) ? nil : below(5) })
    case 25: return .matrix((0..<below(3)).map { Array(0..<$0) })
    case 26: return .dates((0..<below(3)).map { _ in date() })
    case 27: return .counts(Dictionary([(text(), 1), (text(), 2)]) { $1 })
    case 28..<31: return .string(text())
    default: return .double(double())
    }
  }
}
