import JSONTree

/// The result of comparing two values.
enum QueryOrder: Hashable, Sendable {
  case smaller, equal, larger
  /// Not equal, and without an order.
  case different

  init<Value: Comparable>(_ first: Value, _ second: Value) {
    self = first < second ? .smaller : first == second ? .equal : .larger
  }

  /// Compares texts scalar by scalar.
  init(_ first: String, _ second: String) {
    let isSmaller = first.utf8.lexicographicallyPrecedes(second.utf8)
    self = isSmaller ? .smaller : first.isExactly(second) ? .equal : .larger
  }
}

extension JSON {
  func compared(with other: QueryValue) -> QueryOrder {
    switch (self, other) {
    // A bare number in a query also matches the string with the same text.
    case (.string(let text), .scalar(.number(let number))):
      text == number.literal ? .equal : .different
    case (_, .scalar(let scalar)): compared(with: scalar)
    case (_, .place): .different
    }
  }

  func compared(with other: JSON) -> QueryOrder {
    switch (self, other) {
    case (.number(let number), .number(let other)): return number.compared(with: other)
    case (.string(let text), .string(let other)): return QueryOrder(text, other)
    case (.array(let elements), .array(let others)):
      let isEqual =
        elements.count == others.count
        && zip(elements, others).allSatisfy { $0.compared(with: $1) == .equal }
      return isEqual ? .equal : .different
    case (.object(let object), .object(let other)):
      return object.isEqual(to: other) ? .equal : .different
    default: return self == other ? .equal : .different
    }
  }

  func has(_ other: QueryValue) -> Bool {
    switch self {
    case .string(let text): TextSearch(exactly: other.plainText).finds(in: text)
    case .array(let elements): elements.contains { $0.compared(with: other) == .equal }
    case .object(let object): object[other.plainText] != nil
    case .null, .bool, .number: false
    }
  }

  /// What `grew` and `shrank` compare: a number, or the size of a string, array or object.
  var measure: BigDecimal? {
    switch self {
    case .number(let number): BigDecimal(number)
    case .string(let text): BigDecimal(text.unicodeScalars.count)
    case .array(let elements): BigDecimal(elements.count)
    case .object(let object): BigDecimal(object.indexes.count)
    case .null, .bool: nil
    }
  }

  var type: QueryRelation.ValueType {
    switch self {
    case .null: .null
    case .bool: .bool
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }
}

extension JSONObject {
  fileprivate func isEqual(to other: JSONObject) -> Bool {
    let (own, others) = (indexes, other.indexes)
    return own.count == others.count
      && own.all.allSatisfy { index in
        others[members[index].key].map {
          members[index].value.compared(with: other.members[$0].value) == .equal
        } ?? false
      }
  }
}

extension JSONNumber {
  fileprivate func compared(with other: JSONNumber) -> QueryOrder {
    if literal == other.literal { return .equal }
    // Most numbers are small and whole.
    if let number = integer, let other = other.integer { return QueryOrder(number, other) }
    return QueryOrder(BigDecimal(self), BigDecimal(other))
  }
}

extension QueryValue {
  func isEqual(_ value: JSON) -> Bool { value.compared(with: self) == .equal }

  /// The text that `has`, `starts` and `ends` look for.
  var plainText: String {
    if case .scalar(let scalar) = self { scalar.string ?? scalar.text() } else { "" }
  }
}

extension QueryChoice {
  func holds(_ value: JSON) -> Bool {
    switch meaning {
    case .word(let pattern): value.string.map { pattern.matches($0) } ?? false
    case .value(let wanted): wanted.isEqual(value)
    case .range: value.number.map { holds(BigDecimal($0)) } ?? false
    }
  }

  /// Whether an amount matches. A number that is not in a range must be equal.
  func holds(exactly amount: BigDecimal) -> Bool {
    guard case .value(.scalar(.number(let number))) = meaning else { return holds(amount) }
    return BigDecimal(number) == amount
  }
}
