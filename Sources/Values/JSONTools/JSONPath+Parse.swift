import JSONTree

extension JSONPath {
  /// Parses the format of `description`; nil if the text is not a path.
  package init?(parsing text: some StringProtocol) {
    var rest = Substring(text)
    if rest == "$" { rest = "" } else if !rest.isEmpty, rest.first != "[" { rest = "." + rest }
    elements = []
    while let first = rest.popFirst() {
      guard let element = first == "." ? Self.key(&rest) : Self.bracket(first, &rest) else {
        return nil
      }
      elements.append(element)
    }
  }

  private static func key(_ rest: inout Substring) -> Element? {
    let key = rest.prefix { $0 != "." && $0 != "[" }
    rest = rest.dropFirst(key.count)
    return key.isEmpty ? nil : .key(String(key))
  }

  private static func bracket(_ first: Character, _ rest: inout Substring) -> Element? {
    guard first == "[" else { return nil }
    if rest.first == "\"" { return quoted(&rest) }
    guard let end = rest.firstIndex(of: "]"), let index = Int(rest[..<end]), index >= 0 else {
      return nil
    }
    rest = rest[rest.index(after: end)...]
    return .index(index)
  }

  /// Reads a quoted key, up to the first quotation mark without a backslash before it, and `]`.
  private static func quoted(_ rest: inout Substring) -> Element? {
    var (end, isEscaped) = (rest.index(after: rest.startIndex), false)
    while end < rest.endIndex, isEscaped || rest[end] != "\"" {
      isEscaped = !isEscaped && rest[end] == "\\"
      end = rest.index(after: end)
    }
    guard end < rest.endIndex else { return nil }
    let literal = rest[...end]
    rest = rest[rest.index(after: end)...]
    guard rest.popFirst() == "]" else { return nil }
    do throws(JSONError) {
      return try JSON(parsing: Array(literal.utf8)).string.map { .key($0) }
    } catch {
      return nil
    }
  }
}
