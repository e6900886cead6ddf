/// How values of a type are written.
enum ValueWay {
  /// Without its `encode(to:)`.
  case direct(any DirectValue.Type)
  /// An array, or a dictionary that is an object.
  case many(any ManyValues.Type)
  case own

  @inline(never)
  init(of type: Any.Type) {
    if let direct = type as? any DirectValue.Type {
      self = .direct(direct)
    } else if let many = type as? any ManyValues.Type {
      self = .many(many)
    } else {
      self = .own
    }
  }
}

extension TypeMemory<ValueWay> {
  @inline(__always)
  mutating func way<Value>(of type: Value.Type) -> ValueWay {
    finding(for: type) { ValueWay(of: type) }
  }
}
