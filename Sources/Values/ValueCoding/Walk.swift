import FoundationEssentials

/// How far the walk through a value has come, and its findings.
struct Walk {
  /// Remembers that the value goes deeper: a value may ignore an error, and opening a container
  /// throws none.
  private final class Outcome {
    var isTooDeep = false
  }

  let isReadable: Bool
  /// Whether enums are written as people write them.
  let isShort: Bool
  /// Values and containers inside of each other.
  private var depth = 0
  private let outcome = Outcome()

  init(isReadable: Bool, isShort: Bool = false) {
    (self.isReadable, self.isShort) = (isReadable, isShort)
  }

  /// The next level; nil if there may be none.
  var deeper: Walk? {
    guard depth < ValueCoder.depthMax else {
      outcome.isTooDeep = true
      return nil
    }
    var walk = self
    walk.depth += 1
    return walk
  }

  /// The next level, if there may be one.
  func entered() throws(TooDeep) -> Walk {
    guard let walk = deeper else { throw TooDeep() }
    return walk
  }

  /// Throws if there was a level too many, even if no encoder reported it.
  func check() throws(TooDeep) {
    if outcome.isTooDeep { throw TooDeep() }
  }

  /// Whether `JSONEncoder` must see the value itself: it knows these types, or is faster with them.
  func isLeaf<Value>(_ value: Value) -> Bool {
    Value.self == Date.self || Value.self == Data.self || Value.self == URL.self
      || Value.self == Decimal.self || value is any Flat
  }
}

/// A type that holds nothing that could be nested.
protocol Flat {}
extension String: Flat {}
extension Bool: Flat {}
extension Int: Flat {}
extension Int64: Flat {}
extension UInt8: Flat {}
extension UInt64: Flat {}
extension Float: Flat {}
extension Double: Flat {}
extension UUID: Flat {}
extension Array: Flat where Element: Flat {}
extension Optional: Flat where Wrapped: Flat {}

/// A value that is encoded as itself, and watched meanwhile.
struct GuardedValue<Value: Encodable>: Encodable {
  let value: Value
  let walk: Walk

  func encode(to encoder: any Encoder) throws {
    let encoder = GuardedEncoder(base: encoder, walk: walk)
    if walk.isReadable, let dictionary = value as? any TextKeyed,
      try dictionary.encodeAsObject(to: encoder)
    {
      return try walk.check()
    }
    if walk.isShort, let shape = EnumShape(value) {
      try shape.encode(to: encoder)
    } else {
      try value.encode(to: encoder)
    }
    try walk.check()
  }
}

/// A value that any encoder writes with short enums.
package struct ShortEnums<Value: Encodable>: Encodable {
  private let value: Value

  /// Encodes as `value` does otherwise.
  package init(_ value: Value) { self.value = value }

  package func encode(to encoder: any Encoder) throws {
    let walk = Walk(isReadable: false, isShort: true)
    try GuardedValue(value: value, walk: walk).encode(to: encoder)
  }
}
