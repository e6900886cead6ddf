extension TextPattern {
  /// The most octets of a text that are looked through.
  package static let textSizeMax = 65_536
  /// Instructions to run for one text: less than a tenth of a second.
  private static let stepCountMax = 5_000_000

  package enum Finding: Hashable, Sendable {
    case found, absent
    /// It took too long, or the text was longer than is looked through.
    case unknown
  }

  /// Whether the pattern is found anywhere in the text.
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

/// All ways through a pattern at once.
private struct PatternSearch {
  private let program: [TextPattern.Instruction]
  /// Instructions that take the next scalar.
  private var waiting: [Int] = []
  /// Instructions to go on with once it is known what stands around them.
  private var entries: [Int] = []
  /// In which round each instruction was visited.
  private var visits: [Int]
  private var round = 0
  private(set) var stepCount = 0

  init(_ program: [TextPattern.Instruction]) {
    self.program = program
    visits = Array(repeating: -1, count: program.count)
  }

  /// Begins the pattern here too, and goes on with those under way.
  ///
  /// - Returns: whether one of them is at its end.
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
