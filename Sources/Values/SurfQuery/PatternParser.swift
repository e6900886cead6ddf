/// Parses a regular expression for `TextPattern`, by recursive descent over scalars.
struct PatternParser {
  private var rest: Substring.UnicodeScalarView
  private var depth = 0
  private var ignoresCase = false

  private static let depthMax = 50
  private static let repeatCountMax = 1_000

  init(_ text: String) { rest = text[...].unicodeScalars }

  mutating func parse() throws(PatternFault) -> PatternTree {
    if rest.starts(with: "(?i)".unicodeScalars) {
      rest.removeFirst(4)
      ignoresCase = true
    }
    let tree = try either()
    guard let scalar = rest.first else { return tree }
    throw .unexpected(Character(scalar))
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == scalar else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func either() throws(PatternFault) -> PatternTree {
    var parts = [try inOrder()]
    while take("|") { parts.append(try inOrder()) }
    return parts.count == 1 ? parts[0] : .either(parts)
  }

  private mutating func inOrder() throws(PatternFault) -> PatternTree {
    var parts: [PatternTree] = []
    while let scalar = rest.first, scalar != "|", scalar != ")" {
      parts.append(try repeated(try atom()))
    }
    return .inOrder(parts)
  }

  private mutating func repeated(_ part: PatternTree) throws(PatternFault) -> PatternTree {
    var tree = part
    while let scalar = rest.first {
      switch scalar {
      case "*": tree = .repeated(tree, least: 0, most: nil)
      case "+": tree = .repeated(tree, least: 1, most: nil)
      case "?": tree = .repeated(tree, least: 0, most: 1)
      case "{":
        guard let (least, most) = try counts() else { return tree }
        tree = .repeated(tree, least: least, most: most)
      default: return tree
      }
      rest.removeFirst()
      // Lazy or greedy does not matter, because a search only reports whether there is a match.
      _ = take("?")
      guard isShallow(tree, 0) else { throw .tooLarge }
    }
    return tree
  }

  /// Whether nested repetitions such as `a+*` are few enough to recurse over.
  private func isShallow(_ tree: PatternTree, _ level: Int) -> Bool {
    guard case .repeated(let part, _, _) = tree else { return true }
    return level < Self.depthMax && isShallow(part, level + 1)
  }

  /// Parses `{2}`, `{2,}` or `{2,5}` up to the closing brace. Nil if the brace is a literal.
  private mutating func counts() throws(PatternFault) -> (Int, Int?)? {
    let inner = rest.dropFirst().prefix { $0 == "," || ("0"..."9").contains($0) }
    guard inner.endIndex < rest.endIndex, rest[inner.endIndex] == "}" else { return nil }
    let end = inner.endIndex
    let parts = String(inner).split(separator: ",", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), !parts[0].isEmpty else { return nil }
    // What overflows is too large as well.
    let least = Int(parts[0]) ?? .max
    let most = parts.count == 1 ? least : parts[1].isEmpty ? nil : Int(parts[1]) ?? .max
    guard max(least, most ?? 0) <= Self.repeatCountMax else { throw .tooLarge }
    guard least <= most ?? least else { throw .unexpected("}") }
    rest = rest[end...]
    return (least, most)
  }

  private mutating func atom() throws(PatternFault) -> PatternTree {
    let scalar = rest.removeFirst()
    switch scalar {
    case "(": return try group()
    case "[": return .one(try set())
    case ".": return .one(.inLine)
    case "^": return .anchor(.start)
    case "$": return .anchor(.end)
    case "*", "+", "?": throw .nothingToRepeat(Character(scalar))
    case "\\": return try escape()
    default: return .one(letter(scalar))
    }
  }

  private mutating func group() throws(PatternFault) -> PatternTree {
    guard depth < Self.depthMax else { throw .tooLarge }
    depth += 1
    if take("?") {
      guard take(":") else {
        throw .unsupported("(?" + (rest.first.map { String(Character($0)) } ?? ""))
      }
    }
    let tree = try either()
    guard take(")") else { throw .unclosed("(") }
    depth -= 1
    return tree
  }

  private mutating func escape() throws(PatternFault) -> PatternTree {
    switch rest.first {
    case "b": return anchor(.wordEdge)
    case "B": return anchor(.noWordEdge)
    default: return .one(try escapedSet())
    }
  }

  private mutating func anchor(_ anchor: TextPattern.Anchor) -> PatternTree {
    rest.removeFirst()
    return .anchor(anchor)
  }

  private mutating func escapedSet() throws(PatternFault) -> ScalarSet {
    guard let scalar = rest.popFirst() else { throw .unclosed("\\") }
    switch scalar {
    case "d": return .digit
    case "D": return ScalarSet.digit.inverted
    case "w": return .word
    case "W": return ScalarSet.word.inverted
    case "s": return .space
    case "S": return ScalarSet.space.inverted
    case "n": return letter("\n")
    case "r": return letter("\r")
    case "t": return letter("\t")
    case "a"..."z", "A"..."Z", "0"..."9": throw .unsupported("\\\(scalar)")
    default: return letter(scalar)
    }
  }

  private func letter(_ scalar: Unicode.Scalar) -> ScalarSet {
    ScalarSet(ranges: bothCases(scalar...scalar))
  }

  /// Adds the other case if the pattern ignores case. In a range, only ASCII letters have one.
  private func bothCases(
    _ range: ClosedRange<Unicode.Scalar>
  ) -> [ClosedRange<Unicode.Scalar>] {
    guard ignoresCase else { return [range] }
    if range.lowerBound == range.upperBound {
      let properties = range.lowerBound.properties
      let others = [properties.lowercaseMapping, properties.uppercaseMapping]
        .filter { $0.unicodeScalars.count == 1 }.compactMap(\.unicodeScalars.first)
      return [range] + others.map { $0...$0 }
    }
    let cases: [(ClosedRange<Unicode.Scalar>, Int)] = [("a"..."z", -32), ("A"..."Z", 32)]
    return [range]
      + cases.compactMap { letters, offset in
        guard range.overlaps(letters) else { return nil }
        let part = range.clamped(to: letters)
        guard let first = Unicode.Scalar(UInt32(Int(part.lowerBound.value) + offset)),
          let last = Unicode.Scalar(UInt32(Int(part.upperBound.value) + offset))
        else { return nil }
        return first...last
      }
  }

  /// Parses the rest of a set, after `[`.
  private mutating func set() throws(PatternFault) -> ScalarSet {
    var set = ScalarSet(isInverted: take("^"))
    var isFirst = true
    while let scalar = rest.popFirst() {
      if scalar == "]", !isFirst { return set }
      isFirst = false
      let first = try member(scalar)
      if let start = first.only, let end = try rangeEnd() {
        guard start <= end else { throw .unexpected(Character(end)) }
        set.ranges += bothCases(start...end)
      } else {
        set.ranges += first.only.map { bothCases($0...$0) } ?? first.ranges
      }
    }
    throw .unclosed("[")
  }

  /// Parses one member of a set, which begins with `scalar`.
  private mutating func member(_ scalar: Unicode.Scalar) throws(PatternFault) -> ScalarSet {
    guard scalar == "\\" else { return ScalarSet(ranges: [scalar...scalar]) }
    let escaped = try escapedSet()
    guard !escaped.isInverted else { throw .unsupported("an inverted escape in a set") }
    return escaped
  }

  /// Parses `-` and the end of a range. Nil if the `-` is a member itself: last in the set, or
  /// before a class such as `\d`.
  private mutating func rangeEnd() throws(PatternFault) -> Unicode.Scalar? {
    var ahead = rest
    guard ahead.popFirst() == "-", let scalar = ahead.popFirst(), scalar != "]" else { return nil }
    var parser = self
    parser.rest = ahead
    guard let end = try parser.member(scalar).only else { return nil }
    self = parser
    return end
  }
}
