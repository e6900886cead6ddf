/// How values of a type are written.
enum ValueWay {
  /// Without its `encode(to:)`.
  case direct(any DirectValue.Type)
  /// An array, or a dictionary that is an object.
  case many(any ManyValues.Type)
  case own
}

/// The ways of the types met last: to ask what a type conforms to takes longer than to write most
/// values.
struct WayMemory {
  private struct Entry {
    var type: ObjectIdentifier?
    var way = ValueWay.own
  }

  private static let count = 64
  private var entries = ContiguousArray(repeating: Entry(), count: count)

  @inline(__always)
  mutating func way<Value>(of type: Value.Type) -> ValueWay {
    let id = ObjectIdentifier(type)
    // Types are some words apart from one another.
    let index = Int(truncatingIfNeeded: UInt(bitPattern: id) >> 4) & (Self.count - 1)
    if entries[index].type == id { return entries[index].way }
    let way = Self.find(type)
    entries[index] = Entry(type: id, way: way)
    return way
  }

  @inline(never)
  private static func find(_ type: any Any.Type) -> ValueWay {
    if let direct = type as? any DirectValue.Type { return .direct(direct) }
    if let many = type as? any ManyValues.Type { return .many(many) }
    return .own
  }
}
