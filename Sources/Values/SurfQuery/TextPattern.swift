/// A regular expression for the relation `matches`. A search takes time proportional to the text
/// times the pattern, because there are no back references and no backtracking.
package struct TextPattern: Sendable {
  package let text: String
  let program: [Instruction]

  enum Instruction: Sendable {
    /// Consumes one scalar of the set.
    case take(ScalarSet)
    case ifAt(Anchor)
    case jump(Int)
    /// Continues at both.
    case fork(Int, Int)
    case found
  }

  enum Anchor: Sendable {
    case start, end, wordEdge, noWordEdge
  }

  package init(_ text: String) throws(PatternFault) {
    var parser = PatternParser(text)
    let tree = try parser.parse()
    var compiler = PatternCompiler()
    try compiler.add(tree)
    self.text = text
    program = compiler.instructions + [.found]
  }
}

extension TextPattern: Hashable {
  package static func == (first: TextPattern, second: TextPattern) -> Bool {
    first.text == second.text
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// Why a text is not a pattern.
package enum PatternFault: Error, Hashable, Sendable, CustomStringConvertible {
  case unclosed(Character)
  /// A quantifier such as `*` with nothing before it.
  case nothingToRepeat(Character)
  case unexpected(Character)
  /// Syntax of other regular expression languages, such as a back reference.
  case unsupported(String)
  case tooLarge

  package var description: String {
    switch self {
    case .unclosed(let character): "'\(character)' is never closed in the pattern"
    case .nothingToRepeat(let character): "nothing to repeat before '\(character)' in the pattern"
    case .unexpected(let character): "unexpected '\(character)' in the pattern"
    case .unsupported(let text): "patterns here have no '\(text)'"
    case .tooLarge: "the pattern is too large"
    }
  }
}

/// The syntax tree between `PatternParser` and `PatternCompiler`.
indirect enum PatternTree: Sendable {
  case one(ScalarSet)
  case anchor(TextPattern.Anchor)
  case inOrder([PatternTree])
  case either([PatternTree])
  /// `most` is nil if unlimited.
  case repeated(PatternTree, least: Int, most: Int?)
}

/// A character class of a pattern.
struct ScalarSet: Sendable {
  var ranges: [ClosedRange<Unicode.Scalar>] = []
  var isInverted = false

  static let digit = ScalarSet(ranges: ["0"..."9"])
  static let word = ScalarSet(ranges: ["0"..."9", "A"..."Z", "_"..."_", "a"..."z"])
  static let space = ScalarSet(ranges: ["\t"..."\r", " "..." ", "\u{85}"..."\u{85}"])
  static let inLine = ScalarSet(ranges: ["\n"..."\n"], isInverted: true)

  /// The scalar of a set of one; nil for any other set.
  var only: Unicode.Scalar? {
    guard ranges.count == 1, ranges[0].lowerBound == ranges[0].upperBound else { return nil }
    return isInverted ? nil : ranges[0].lowerBound
  }

  var inverted: ScalarSet { ScalarSet(ranges: ranges, isInverted: !isInverted) }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    ranges.contains { $0.contains(scalar) } != isInverted
  }
}

/// Compiles a tree to instructions.
private struct PatternCompiler {
  var instructions: [TextPattern.Instruction] = []

  private static let instructionCountMax = 5_000
  /// Limited as well, because repeated parts without instructions take time, too.
  private var partCount = 0
  private static let partCountMax = 50_000

  mutating func add(_ tree: PatternTree) throws(PatternFault) {
    partCount += 1
    guard partCount <= Self.partCountMax else { throw .tooLarge }
    switch tree {
    case .one(let set): try append(.take(set))
    case .anchor(let anchor): try append(.ifAt(anchor))
    case .inOrder(let parts): for part in parts { try add(part) }
    case .either(let parts): try add(either: parts)
    case .repeated(let part, let least, let most): try add(part, least, most)
    }
  }

  private mutating func append(_ instruction: TextPattern.Instruction) throws(PatternFault) {
    guard instructions.count < Self.instructionCountMax else { throw .tooLarge }
    instructions.append(instruction)
  }

  private mutating func add(either parts: [PatternTree]) throws(PatternFault) {
    var ends: [Int] = []
    for part in parts.dropLast() {
      let fork = instructions.count
      try append(.found)
      try add(part)
      ends.append(instructions.count)
      try append(.found)
      instructions[fork] = .fork(fork + 1, instructions.count)
    }
    if let last = parts.last { try add(last) }
    for end in ends { instructions[end] = .jump(instructions.count) }
  }

  private mutating func add(
    _ part: PatternTree, _ least: Int, _ most: Int?
  ) throws(PatternFault) {
    for _ in 0..<least { try add(part) }
    guard let most else {
      let fork = instructions.count
      try append(.found)
      try add(part)
      try append(.jump(fork))
      instructions[fork] = .fork(fork + 1, instructions.count)
      return
    }
    var forks: [Int] = []
    for _ in 0..<max(0, most - least) {
      forks.append(instructions.count)
      try append(.found)
      try add(part)
    }
    for fork in forks { instructions[fork] = .fork(fork + 1, instructions.count) }
  }
}
