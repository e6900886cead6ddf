import JSONTree

extension JSON {
  /// A whole number, however it is written (`1`, `1.0`, `1e0`), that a JavaScript peer can count
  /// with; `nil` else.
  var wholeNumber: Int? {
    guard let value = number?.double else { return nil }
    return value.magnitude <= 9_007_199_254_740_991 ? Int(exactly: value) : nil
  }
}
