extension ArraySlice<UInt8> {
  /// A copy of both, one behind the other; `+` makes two.
  func joined(with rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var joined: [UInt8] = []
    joined.reserveCapacity(count + rest.count)
    joined += self
    joined += rest
    return joined[...]
  }
}
