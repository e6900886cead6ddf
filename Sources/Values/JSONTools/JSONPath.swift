import JSONTree

/// Names one place in a JSON value as people write it: `todos[3].title`.
package struct JSONPath: Hashable, Sendable {
  /// One way down.
  package enum Element: Hashable, Sendable {
    /// To a member of an object.
    case key(String)
    /// To an element of an array, from 0.
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

  /// The ways down from the root; none for the whole value.
  package var elements: [Element]

  /// The place reached from the root through `elements`.
  package init(_ elements: [Element] = []) {
    self.elements = elements
  }

  /// The same place for a program.
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
  /// `todos[3].title`; `$` for the whole value; a key that is not a plain word as `["a b"]`.
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
