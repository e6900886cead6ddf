extension ArraySlice<UInt8> {
  /// A copy of both with one allocation. `+` copies twice.
  func joined(with rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var joined: [UInt8] = []
    joined.reserveCapacity(count + rest.count)
    joined += self
    joined += rest
    return joined[...]
  }
}
