extension TextPattern {
  /// A search stops after this many octets of text.
  package static let textSizeMax = 65_536
  /// A search stops after this many steps, which take less than a tenth of a second.
  private static let stepCountMax = 5_000_000

  package enum Finding: Hashable, Sendable {
    case found, absent
    /// The search stopped at a limit.
    case unknown
  }

  /// Looks for the pattern anywhere in the text.
  package func search(_ text: String) -> Finding {
    var search = PatternSearch(program)
    var before: Unicode.Scalar?
    var size = 0
    for scalar in text.unicodeScalars {
      if search.start(between: before, and: scalar) { return .found }
      search.step(over: scalar)
      before = scalar
      size += UTF8.width(scalar)
      if size > Self.textSizeMax || search.stepCount > Self.stepCountMax { return .unknown }
    }
    return search.start(between: before, and: nil) ? .found : .absent
  }
}

/// Simulates the pattern's NFA: follows all paths through it in parallel.
private struct PatternSearch {
  private let program: [TextPattern.Instruction]
  /// `take` instructions that wait for the next scalar.
  private var waiting: [Int] = []
  /// Instructions to continue with once the next scalar, which anchors look at, is known.
  private var entries: [Int] = []
  /// The last round that visited each instruction.
  private var visits: [Int]
  private var round = 0
  private(set) var stepCount = 0

  init(_ program: [TextPattern.Instruction]) {
    self.program = program
    visits = Array(repeating: -1, count: program.count)
  }

  /// Starts another attempt here, and continues the others up to their next `take`.
  ///
  /// - Returns: whether an attempt has matched.
  mutating func start(between before: Unicode.Scalar?, and next: Unicode.Scalar?) -> Bool {
    round += 1
    waiting.removeAll(keepingCapacity: true)
    entries.append(0)
    while let index = entries.popLast() {
      guard visits[index] != round else { continue }
      visits[index] = round
      stepCount += 1
      switch program[index] {
      case .found: return true
      case .take: waiting.append(index)
      case .jump(let target): entries.append(target)
      case .fork(let first, let second): entries += [second, first]
      case .ifAt(let anchor):
        if anchor.stands(between: before, and: next) { entries.append(index + 1) }
      }
    }
    return false
  }

  mutating func step(over scalar: Unicode.Scalar) {
    for index in waiting {
      guard case .take(let set) = program[index] else { continue }
      stepCount += set.ranges.count
      if set.contains(scalar) { entries.append(index + 1) }
    }
  }
}

extension TextPattern.Anchor {
  fileprivate func stands(between before: Unicode.Scalar?, and next: Unicode.Scalar?) -> Bool {
    switch self {
    case .start: before == nil
    case .end: next == nil
    case .wordEdge: Self.isWord(before) != Self.isWord(next)
    case .noWordEdge: Self.isWord(before) == Self.isWord(next)
    }
  }

  private static func isWord(_ scalar: Unicode.Scalar?) -> Bool {
    scalar.map(ScalarSet.word.contains) ?? false
  }
}
