import JSONTree

/// A member that tells the elements of a list of objects apart.
package enum ListKey: String, CaseIterable, Sendable {
  case id, key, uuid, name

  /// The element's text or number under this key, if any: nothing else names an element, and a
  /// redaction's mark is the same for all.
  package func value(of element: JSON) -> JSON? {
    switch element[rawValue] {
    case .string(let text): .string(text)
    case .number(let number): .number(number)
    case .null, .bool, .array, .object, nil: nil
    }
  }

  /// The first key that each of these elements has.
  package init?(of elements: some Collection<JSON>) {
    guard !elements.isEmpty,
      let key = Self.allCases.first(where: { key in
        elements.allSatisfy { key.value(of: $0) != nil }
      })
    else { return nil }
    self = key
  }
}
