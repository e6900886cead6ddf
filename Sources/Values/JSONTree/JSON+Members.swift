// A value by its kind, and its members by name.
extension JSON {
  /// The value of `key`, if this is an object and has it.
  package subscript(key: String) -> JSON? { object?[key] }

  package var bool: Bool? {
    if case .bool(let bool) = self { bool } else { nil }
  }

  package var string: String? {
    if case .string(let string) = self { string } else { nil }
  }

  package var array: [JSON]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  package var object: JSONObject? {
    if case .object(let object) = self { object } else { nil }
  }

  /// The number, if it is written as an integer and fits.
  package var integer: Int? { number?.integer }

  /// The same from 0 to 2^64 - 1.
  package var natural: UInt64? { number.flatMap { UInt64($0.literal) } }

  package var number: JSONNumber? {
    if case .number(let number) = self { number } else { nil }
  }
}
