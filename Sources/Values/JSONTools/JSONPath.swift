import JSONTree

/// A path to one value in a JSON tree, in the form that viewers show: `todos[3].title`.
package struct JSONPath: Hashable, Sendable {
  /// One step down.
  package enum Element: Hashable, Sendable {
    /// To a member of an object.
    case key(String)
    /// To an element of an array, counted from 0.
    case index(Int)

    package static func == (one: Element, other: Element) -> Bool {
      switch (one, other) {
      case (.key(let one), .key(let other)): one.isExactly(other)
      case (.index(let one), .index(let other)): one == other
      case (.key, _), (.index, _): false
      }
    }

    package func hash(into hasher: inout Hasher) {
      switch self {
      case .key(let key): hasher.combine(ExactText(key))
      case .index(let index): hasher.combine(index)
      }
    }
  }

  /// The steps from the root. Empty for the whole value.
  package var elements: [Element]

  package init(_ elements: [Element] = []) {
    self.elements = elements
  }

  /// The same path as a JSON Pointer, for programs.
  package var pointer: JSONPointer {
    JSONPointer(
      elements.map {
        switch $0 {
        case .key(let key): key
        case .index(let index): String(index)
        }
      })
  }
}

extension JSONPath: CustomStringConvertible {
  /// `todos[3].title`, or `$` for the whole value. A key that is not a plain word is `["a b"]`.
  package var description: String {
    guard !elements.isEmpty else { return "$" }
    return elements.enumerated().map { position, element in
      switch element {
      case .index(let index): "[\(index)]"
      case .key(let key) where !Self.isWord(key): "[\(JSON.string(key).text())]"
      case .key(let key): position == 0 ? key : "." + key
      }
    }.joined()
  }

  /// ASCII letters, digits, `_` and `-`, not beginning with a digit.
  package static func isWord(_ key: String) -> Bool {
    guard let first = key.utf8.first, !(ASCII.zero...ASCII.nine ~= first) else { return false }
    return key.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
      default: false
      }
    }
  }
}
