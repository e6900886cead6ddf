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
      case .key(let key)
      where !Self.isWord(key) || position == 0 && key.first == "-":
        // In a command line, the latter would be an option.
        "[\(JSON.string(key).text())]"
      case .key(let key): position == 0 ? key : "." + key
      }
    }.joined()
  }

  /// ASCII letters, digits, `_` and `-`, as in a UUID. Digits alone look like an index or a row.
  package static func isWord(_ key: String) -> Bool {
    key.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
      default: false
      }
    } && !key.utf8.allSatisfy { ASCII.zero...ASCII.nine ~= $0 }
  }
}

extension JSONPath {
  /// Parses the format of `description`, also with `$` before it; nil if the text is not a path.
  package init?(parsing text: some StringProtocol) {
    // A combining mark is not part of the quotation mark before it.
    var rest = Substring(text).unicodeScalars
    let next = rest.dropFirst().first
    if rest.first == "$", next == nil || next == "." || next == "[" {
      rest.removeFirst()
    } else if !rest.isEmpty, rest.first != "[" {
      rest.insert(".", at: rest.startIndex)
    }
    elements = []
    while let first = rest.popFirst() {
      guard let element = first == "." ? Self.key(&rest) : Self.bracket(first, &rest) else {
        return nil
      }
      elements.append(element)
    }
  }

  private static func key(_ rest: inout Substring.UnicodeScalarView) -> Element? {
    let key = rest.prefix { $0 != "." && $0 != "[" }
    rest = rest[key.endIndex...]
    return key.isEmpty ? nil : .key(String(key))
  }

  private static func bracket(
    _ first: Unicode.Scalar, _ rest: inout Substring.UnicodeScalarView
  ) -> Element? {
    guard first == "[" else { return nil }
    if rest.first == "\"" { return quoted(&rest) }
    let digits = String(rest.prefix { $0 != "]" })
    rest = rest.dropFirst(digits.unicodeScalars.count)
    // Neither a sign nor a zero before other digits.
    guard rest.popFirst() == "]", let index = Int(digits), index >= 0, digits == String(index)
    else { return nil }
    return .index(index)
  }

  /// Reads a quoted key, up to the first quotation mark without a backslash before it, and `]`.
  private static func quoted(_ rest: inout Substring.UnicodeScalarView) -> Element? {
    var (end, isEscaped) = (rest.index(after: rest.startIndex), false)
    while end < rest.endIndex, isEscaped || rest[end] != "\"" {
      isEscaped = !isEscaped && rest[end] == "\\"
      end = rest.index(after: end)
    }
    guard end < rest.endIndex else { return nil }
    let literal = String(rest[...end])
    rest = rest[rest.index(after: end)...]
    guard rest.popFirst() == "]" else { return nil }
    return JSON(ifValid: Array(literal.utf8))?.string.map { .key($0) }
  }
}
