import JSONTree

extension RedactedPaths {
  /// The same JSON with marks at these places; every other octet stays as it is.
  ///
  /// - Parameter scope: names of values around it, for a value that has a name: a path may begin
  ///   with them or with the value.
  package func redact(_ json: [UInt8], in scope: [String] = []) throws(NoJSON) -> [UInt8] {
    guard !isEmpty else { return json }
    var pass = RedactionPass(json, self)
    return try pass.run(beginning(in: scope))
  }
}

extension RedactedPaths {
  /// The same of octets that may be anything. A path leads nowhere in what is not JSON.
  package func redact(foreign octets: [UInt8]) throws(NoJSON) -> [UInt8] {
    guard !isEmpty else { return octets }
    guard JSON(ifValid: octets) != nil else { throw NoJSON() }
    return try redact(octets)
  }
}

/// Bytes that nobody can find a path in.
package struct NoJSON: Error, CustomStringConvertible {
  package let description = "paths are redacted, and it is not JSON"
}

/// Goes over JSON once. What it cannot follow, it refuses.
private struct RedactionPass {
  private var guide: PathGuide
  private let source: [UInt8]
  private var index = 0
  /// What has been passed on.
  private var taken = 0
  private var output: [UInt8] = []

  init(_ source: [UInt8], _ paths: RedactedPaths) {
    (self.source, guide) = (source, PathGuide(paths))
  }

  mutating func run(_ progress: RedactedPaths.Progress) throws(NoJSON) -> [UInt8] {
    skipSpace()
    try visit(guide.post(progress))
    skipSpace()
    guard index == source.count else { throw NoJSON() }
    if taken == 0 { return source }
    return output + source[taken...]
  }

  private mutating func visit(_ post: Int) throws(NoJSON) {
    if guide.posts[post].isAtEnd { return try mark() }
    guard !guide.posts[post].isLost else { return try skip() }
    switch next {
    case ASCII.openBrace: try visitMembers(post)
    case ASCII.openBracket: try visitElements(post)
    default: try skip()
    }
  }

  private mutating func visitMembers(_ post: Int) throws(NoJSON) {
    let isIndifferent = guide.posts[post].isIndifferent
    try visitList(to: ASCII.closeBrace) { pass, _ throws(NoJSON) in
      let key = try pass.key(isNeeded: !isIndifferent)
      pass.skipSpace()
      try pass.take(ASCII.colon)
      pass.skipSpace()
      try pass.visit(pass.guide.post(behind: key, from: post))
    }
  }

  private mutating func visitElements(_ post: Int) throws(NoJSON) {
    let isIndifferent = guide.posts[post].isIndifferent
    try visitList(to: ASCII.closeBracket) { pass, position throws(NoJSON) in
      let name = isIndifferent ? nil : "\(position)"
      try pass.visit(pass.guide.post(behind: name, from: post))
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

  /// Puts a mark in the place of the value that comes next, unless it is one.
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

  /// Steps over the value that comes next, without a look at what is in it.
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

  /// A number, or one of JSON's three words.
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
