import JSONTree
import SurfValues

extension RedactedPaths {
  /// Replaces the values at these paths by marks, and keeps every other octet. It does not
  /// validate: use it only for JSON that our own code wrote.
  ///
  /// - Parameter scope: the names of values around a named value. A path may begin with one of
  ///   them, or in the value.
  package func redact(_ json: [UInt8], in scope: [String] = []) throws(NoJSON) -> [UInt8] {
    guard !isEmpty else { return json }
    var pass = RedactionPass(json, self)
    return try pass.run(beginning(in: scope))
  }
}

extension RedactedPaths {
  /// The same for bytes that the app's author supplied. Validates them first, because no path can
  /// be followed through anything but JSON.
  package func redact(foreign octets: consuming [UInt8]) throws(NoJSON) -> [UInt8] {
    guard !isEmpty else { return octets }
    guard JSON(ifValid: copy octets) != nil else { throw NoJSON() }
    return try redact(octets)
  }
}

/// Paths are redacted, and the bytes are not JSON, so they must not be sent.
package struct NoJSON: Error, CustomStringConvertible {
  package let description = "paths are redacted, but this is not JSON"
}

/// One pass over JSON. It throws where it cannot follow the structure, but skips over other parts
/// without checking them.
private struct RedactionPass {
  private var guide: PathGuide
  private let source: [UInt8]
  private var index = 0
  /// The source up to here is in `output`, or has been replaced.
  private var taken = 0
  private var output: [UInt8] = []

  init(_ source: [UInt8], _ paths: RedactedPaths) {
    (self.source, guide) = (source, PathGuide(paths))
  }

  mutating func run(_ progress: RedactedPaths.Progress) throws(NoJSON) -> [UInt8] {
    skipSpace()
    try visit(guide.node(progress))
    skipSpace()
    guard index == source.count else { throw NoJSON() }
    if taken == 0 { return source }
    return output + source[taken...]
  }

  private mutating func visit(_ node: Int) throws(NoJSON) {
    if guide.nodes[node].isAtEnd { return try mark() }
    guard !guide.nodes[node].isLost else { return try skip() }
    switch next {
    case ASCII.openBrace: try visitMembers(node)
    case ASCII.openBracket: try visitElements(node)
    default: try skip()
    }
  }

  private mutating func visitMembers(_ node: Int) throws(NoJSON) {
    let isIndifferent = guide.nodes[node].isIndifferent
    try visitList(to: ASCII.closeBrace) { pass, _ throws(NoJSON) in
      let key = try pass.key(isNeeded: !isIndifferent)
      pass.skipSpace()
      try pass.take(ASCII.colon)
      pass.skipSpace()
      try pass.visit(pass.guide.node(after: key, from: node))
    }
  }

  private mutating func visitElements(_ node: Int) throws(NoJSON) {
    let isIndifferent = guide.nodes[node].isIndifferent
    try visitList(to: ASCII.closeBracket) { pass, position throws(NoJSON) in
      let name = isIndifferent ? nil : "\(position)"
      try pass.visit(pass.guide.node(after: name, from: node))
    }
  }

  private mutating func visitList(
    to end: UInt8, _ body: (inout RedactionPass, _ position: Int) throws(NoJSON) -> Void
  ) throws(NoJSON) {
    index += 1
    skipSpace()
    var position = 0
    while next != end {
      if position > 0 {
        try take(ASCII.comma)
        skipSpace()
      }
      try body(&self, position)
      skipSpace()
      position += 1
    }
    index += 1
  }

  /// Replaces the next value by a mark, unless it is one.
  private mutating func mark() throws(NoJSON) {
    let start = index
    guard let first = next else { throw NoJSON() }
    try skip()
    guard !RedactionMark.isOne(source[start..<index]) else { return }
    output += source[taken..<start]
    output += RedactionMark.octets(MarkedKind(firstOctet: first))
    taken = index
  }

  private var next: UInt8? { index < source.count ? source[index] : nil }

  private mutating func take(_ octet: UInt8) throws(NoJSON) {
    guard next == octet else { throw NoJSON() }
    index += 1
  }

  private mutating func skipSpace() {
    while let next, next == ASCII.space || (ASCII.tab...ASCII.carriageReturn).contains(next) {
      index += 1
    }
  }

  private mutating func key(isNeeded: Bool) throws(NoJSON) -> String? {
    let start = index
    try skipString()
    guard isNeeded else { return nil }
    let inside = source[start + 1..<index - 1]
    guard inside.contains(ASCII.backslash) else { return String(decoding: inside, as: UTF8.self) }
    guard let key = JSON(ifValid: Array(source[start..<index]))?.string else { throw NoJSON() }
    return key
  }

  private mutating func skipString() throws(NoJSON) {
    try take(ASCII.quote)
    while let octet = next, octet != ASCII.quote { index += octet == ASCII.backslash ? 2 : 1 }
    try take(ASCII.quote)
  }

  /// Steps over the next value without looking inside.
  private mutating func skip() throws(NoJSON) {
    switch next {
    case ASCII.quote: try skipString()
    case ASCII.openBrace, ASCII.openBracket: try skipContainer()
    default: try skipWord()
    }
  }

  private mutating func skipContainer() throws(NoJSON) {
    var depth = 0
    repeat {
      switch next {
      case nil: throw NoJSON()
      case ASCII.quote:
        try skipString()
        continue
      case ASCII.openBrace, ASCII.openBracket: depth += 1
      case ASCII.closeBrace, ASCII.closeBracket: depth -= 1
      default: break
      }
      index += 1
    } while depth > 0
  }

  /// A number, or `true`, `false` or `null`.
  private mutating func skipWord() throws(NoJSON) {
    let start = index
    while let next, !Self.endsWord(next) { index += 1 }
    if index == start { throw NoJSON() }
  }

  private static func endsWord(_ octet: UInt8) -> Bool {
    switch octet {
    case ASCII.comma, ASCII.colon, ASCII.closeBrace, ASCII.closeBracket, ASCII.quote,
      ASCII.openBrace, ASCII.openBracket:
      true
    default: octet <= ASCII.space
    }
  }
}

/// Follows `RedactedPaths` through a value for `RedactionPass`. It builds an automaton as it goes,
/// so that each transition is computed only once.
struct PathGuide {
  /// All places where the paths have progressed equally far.
  struct Node {
    fileprivate let progress: RedactedPaths.Progress
    fileprivate let names: [String]
    /// The nodes after each of `names`, and last the node after any other name, once known.
    fileprivate var next: [Int?]

    /// Whether a path ends here.
    var isAtEnd: Bool { progress.isAtEnd }
    /// Whether no path continues.
    var isLost: Bool { progress.isLost }
    /// Whether all names lead to the same node.
    var isIndifferent: Bool { names.isEmpty }
  }

  private let paths: RedactedPaths
  private(set) var nodes: [Node] = []

  init(_ paths: RedactedPaths) { self.paths = paths }

  /// The node for this progress.
  mutating func node(_ progress: RedactedPaths.Progress) -> Int {
    if let known = nodes.firstIndex(where: { $0.progress == progress }) { return known }
    let names = paths.names(from: progress).sorted()
    nodes.append(
      Node(progress: progress, names: names, next: Array(repeating: nil, count: names.count + 1)))
    return nodes.count - 1
  }

  /// The node after a name; nil means any name that no path contains here.
  mutating func node(after name: String?, from index: Int) -> Int {
    let names = nodes[index].names
    let way = name.flatMap { names.firstIndex(of: $0) } ?? names.count
    if let known = nodes[index].next[way] { return known }
    let name = way < names.count ? names[way] : nil
    let next = node(paths.entering(name, from: nodes[index].progress))
    nodes[index].next[way] = next
    return next
  }
}
