import FoundationEssentials

/// How far the walk through a value has come, and what it looks for.
struct Walk {
  /// Values inside of each other.
  var depth: Int
  let isReadable: Bool

  var deeper: Walk { Walk(depth: depth + 1, isReadable: isReadable) }

  /// The next level, if there may be one.
  func entered() throws(TooDeep) -> Walk {
    guard depth < ValueCoder.depthMax else { throw TooDeep() }
    return deeper
  }

  /// Whether `JSONEncoder` must see the value itself: it knows these, or is faster with them.
  func isLeaf<Value>(_ value: Value) -> Bool {
    Value.self == Date.self || Value.self == Data.self || Value.self == URL.self
      || Value.self == Decimal.self || value is any Flat
  }
}

/// What holds nothing that could be nested.
private protocol Flat {}
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
struct Guarded<Value: Encodable>: Encodable {
  let value: Value
  let walk: Walk

  func encode(to encoder: any Encoder) throws {
    let encoder = GuardedEncoder(base: encoder, walk: walk)
    if walk.isReadable, let dictionary = value as? any TextKeyed,
      try dictionary.encodeAsObject(to: encoder)
    {
      return
    }
    try value.encode(to: encoder)
  }
}
