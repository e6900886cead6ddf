import JSONTree
import Redaction
import SurfWire

/// Answers a query for one row after another, for every search of a history.
///
/// If a row's step says that it follows the last row, a test keeps its answer until a value that it
/// depends on may have changed. All rows must come from one walk.
package struct QueryEvaluator: Sendable {
  package let query: Query
  /// The limits reached so far. If there are any, a `false` may be wrong.
  package var limits: Set<Limit> = []
  package private(set) var counts = TestCounts()
  private let secondsFromGMT: Int
  private let plan: QueryPlan
  private var tests: [RememberedTest]
  /// Whether the app redacts a part of the current state. Nil if nobody has looked.
  private var isMarked: Bool?
  /// The step number of the last row.
  private var lastNumber: Int?

  package enum Limit: Hashable, Sendable {
    /// Matching a pattern took too long, or the text was too long.
    case pattern
    /// A path led to more places than a walk visits.
    case places
    /// A needed state is missing.
    case states
    /// The initial state is missing, and a row grew from it. Few apps record it, but most report it
    /// if they are asked.
    case initialState
    /// Two states are equal as far as can be seen, and the app redacts a part of them.
    case redacted
  }

  package struct TestCounts: Hashable, Sendable {
    /// Answers that were read from the states.
    package internal(set) var lookCount = 0
    /// Answers kept from an earlier row.
    package internal(set) var keptCount = 0
  }

  /// - Parameter secondsFromGMT: the time zone of `at:`.
  package init(_ query: Query, secondsFromGMT: Int = 0) {
    self.query = query
    self.secondsFromGMT = secondsFromGMT
    var tests: [QueryTest] = []
    plan = QueryPlan(query, adding: &tests)
    self.tests = tests.map { RememberedTest($0) }
  }

  /// Returns the limits since the last call, and resets them.
  package mutating func takeLimits() -> Set<Limit> {
    defer { limits = [] }
    return limits
  }

  /// Whether the query is true. A test on a missing state is neither true nor false, so this
  /// returns false both for the test and for its negation.
  package mutating func holds(for subject: QuerySubject) -> Bool {
    follow(subject.step)
    guard let truth = truth(of: plan, subject, .after) else {
      let lacksInitial = subject.growsFromInitial && subject.before == nil
      limits.insert(lacksInitial ? .initialState : isMarked == true ? .redacted : .states)
      return false
    }
    return truth
  }

  /// Whether a search can skip the next row: by this step from a known state, the query is
  /// certainly not true of it. If this returns false, call `holds(for:)` for that row next.
  package mutating func rulesOut(_ step: StateStep) -> Bool {
    follow(step)
    guard let changes = step.changes else { return false }
    return !QueryChance(of: plan, changes, tests, .after).mayHold
  }

  /// Whether the app redacts a part of the state, which is looked up once while it stays the same.
  private mutating func hasMark(_ state: JSON) -> Bool {
    let answer = isMarked ?? state.hasMark
    isMarked = answer
    return answer
  }

  /// Drops the answers that may have changed, once for each row.
  private mutating func follow(_ step: StateStep?) {
    guard step == nil || step?.number != lastNumber else { return }
    let isNext = step.map { $0.number - 1 } == lastNumber && lastNumber != nil
    let changes = isNext ? step?.changes : nil
    for index in tests.indices { tests[index].follow(changes) }
    if changes?.isEmpty != true { isMarked = nil }
    lastNumber = step?.number
  }

  /// Nil if unknown (Kleene's three-valued logic).
  private mutating func truth(
    of plan: QueryPlan, _ subject: QuerySubject, _ asked: RememberedTest.AskedState
  ) -> Bool? {
    switch plan {
    case .any(let parts): return decide(parts, by: true, subject, asked)
    case .all(let parts): return decide(parts, by: false, subject, asked)
    case .not(let part): return truth(of: part, subject, asked).map { !$0 }
    case .before(let part):
      return subject.before == nil ? nil : truth(of: part, subject, .before)
    case .field(let field, let choices): return subject.has(field, choices, secondsFromGMT)
    case .test(let index): return truth(ofTest: index, subject, asked)
    case .changed:
      guard let before = subject.before else { return nil }
      if subject.isChanged ?? (before != subject.state(asked)) { return true }
      // Marks are equal whatever they replace.
      return hasMark(before) ? nil : false
    case .text(let text): return subject.mentions(text)
    }
  }

  private mutating func truth(
    ofTest index: Int, _ subject: QuerySubject, _ asked: RememberedTest.AskedState
  ) -> Bool? {
    let test = tests[index].test
    guard subject.knows(test, asked) else { return nil }
    if let answer = tests[index].answer(about: asked) {
      counts.keptCount += 1
      return answer
    }
    counts.lookCount += 1
    var look = QueryLook(
      subject, state: subject.state(asked), changes: asked == .after ? subject.step?.changes : nil)
    let answer = look.holds(test)
    limits.formUnion(look.limits)
    // After a cut, any earlier part of the state decides which places were visited.
    if !look.limits.contains(.places) { tests[index].keep(answer, about: asked) }
    return answer
  }

  /// `deciding` if any part is `deciding`. Otherwise the opposite, or nil if a part is unknown.
  private mutating func decide(
    _ parts: [QueryPlan], by deciding: Bool, _ subject: QuerySubject,
    _ asked: RememberedTest.AskedState
  ) -> Bool? {
    var result: Bool? = !deciding
    for part in parts {
      let truth = truth(of: part, subject, asked)
      if truth == deciding { return deciding }
      if truth == nil { result = nil }
    }
    return result
  }
}

extension QuerySubject {
  /// Whether the state that a place is in is available. A missing payload counts as available.
  package func knows(_ root: QueryPlace.Root) -> Bool {
    switch root {
    case .state: state != nil
    case .before: before != nil
    case .payload: true
    }
  }

  fileprivate func knows(_ test: QueryTest, _ asked: RememberedTest.AskedState) -> Bool {
    if test.comparesStates, before == nil { return false }
    return test.place.root == .state ? state(asked) != nil : knows(test.place.root)
  }

  fileprivate func state(_ asked: RememberedTest.AskedState) -> JSON? {
    switch asked {
    case .after: state
    case .before: before
    }
  }
}

/// A text to look for. Ignores case unless the text has a capital.
package struct TextSearch: Sendable {
  private let wanted: [UInt8]
  private let folds: Bool

  package init(_ text: String) {
    folds = !text.contains(where: \.isUppercase)
    wanted = Array((folds ? text.lowercased() : text).utf8)
  }

  init(exactly text: String) {
    folds = false
    wanted = Array(text.utf8)
  }

  package func finds(in text: String) -> Bool {
    Self.find(wanted, in: Array((folds ? text.lowercased() : text).utf8))
  }

  func finds(in bytes: [UInt8]) -> Bool {
    folds ? finds(in: String(decoding: bytes, as: UTF8.self)) : Self.find(wanted, in: bytes)
  }

  private static func find(_ wanted: [UInt8], in bytes: [UInt8]) -> Bool {
    guard let first = wanted.first else { return true }
    var start = 0
    while start + wanted.count <= bytes.count {
      if bytes[start] == first, bytes[start...].starts(with: wanted) { return true }
      start += 1
    }
    return false
  }
}
