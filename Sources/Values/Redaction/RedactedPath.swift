import JSONTree

/// A path to places in JSON, as people write it: `user.password`, `users.*.token`,
/// `users[0]["a key"]`, `**.password` at any depth, `$` for the whole value.
struct RedactedPath: Hashable, Sendable {
  /// One step down.
  enum Step: Hashable, Sendable {
    /// To the member with this key, or the element with this index.
    case name(String)
    /// `*`: to any member or element.
    case any
    /// `**`: any number of steps down, including none.
    case anyDepth
  }

  private(set) var steps: [Step] = []

  static let root = RedactedPath()

  private init() {}

  /// Nil if the text is not a path.
  init?(parsing text: String) {
    if text == "$" { return }
    var rest = Substring(text)
    let isRooted = rest.hasPrefix("$.") || rest.hasPrefix("$[")
    if isRooted { rest.removeFirst() } else if rest.first != "[" { rest = "." + rest }
    while let first = rest.popFirst() {
      guard let step = first == "." ? Self.word(&rest) : Self.bracket(first, &rest) else {
        return nil
      }
      steps.append(step)
    }
    if steps.isEmpty { return nil }
  }

  /// The same path with names split at slashes, because viewers show the names of values that way;
  /// nil if no name has a slash.
  var splitAtSlashes: RedactedPath? {
    var path = RedactedPath()
    path.steps = steps.flatMap { step -> [Step] in
      guard case .name(let name) = step else { return [step] }
      return name.split(separator: "/").map { .name(String($0)) }
    }
    return path == self ? nil : path
  }

  private static func word(_ rest: inout Substring) -> Step? {
    let word = rest.prefix { $0 != "." && $0 != "[" }
    rest = rest[word.endIndex...]
    switch word {
    case "": return nil
    case "*": return .any
    case "**": return .anyDepth
    default: return word.contains("*") || word.contains("]") ? nil : .name(String(word))
    }
  }

  private static func bracket(_ first: Character, _ rest: inout Substring) -> Step? {
    guard first == "[" else { return nil }
    if rest.first == "\"" { return quoted(&rest) }
    guard let end = rest.firstIndex(of: "]") else { return nil }
    let inside = rest[..<end]
    rest = rest[rest.index(after: end)...]
    if inside == "*" { return .any }
    // Only the usual spelling of an index, not `+1` or `01`.
    guard let index = Int(inside), index >= 0, "\(index)" == inside else { return nil }
    return .name("\(index)")
  }

  /// A key as a JSON string, up to the first quotation mark that is not escaped.
  private static func quoted(_ rest: inout Substring) -> Step? {
    var (octets, isEscaped) = (rest.utf8.dropFirst(), false)
    while let octet = octets.popFirst(), isEscaped || octet != ASCII.quote {
      isEscaped = !isEscaped && octet == ASCII.backslash
    }
    guard octets.first == ASCII.closeBracket else { return nil }
    let key = JSON(ifValid: Array(rest.utf8[..<octets.startIndex]))?.string
    rest = rest[rest.utf8.index(after: octets.startIndex)...]
    return key.map(Step.name)
  }
}
