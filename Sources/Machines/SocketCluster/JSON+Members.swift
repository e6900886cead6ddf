import JSONTree

extension JSON {
  /// The text, if this is a string.
  var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The members, if this is an object.
  var object: JSONObject? {
    if case .object(let object) = self { object } else { nil }
  }

  /// The value of `key`, if this is an object and has it.
  subscript(key: String) -> JSON? { object?[key] }

  /// A whole number, however it is written (`1`, `1.0`, `1e0`), that a JavaScript peer can count
  /// with; `nil` else.
  var wholeNumber: Int? {
    guard case .number(let number) = self else { return nil }
    let value = number.double
    return value.magnitude <= 9_007_199_254_740_991 ? Int(exactly: value) : nil
  }
}
