import JSONTools

/// A test of `QueryEvaluator` with its last answers, each kept until a value that it depends on may
/// have changed. Its size does not depend on the states.
struct RememberedTest: Sendable {
  /// Which state a test is asked about.
  enum AskedState: Sendable {
    case after, before
  }

  let test: QueryTest
  /// The test's dependencies in the state that is asked about, and in the state before.
  private let own: [QueryDependency]
  private let earlier: [QueryDependency]
  /// Whether the test reads the payload, which differs from row to row.
  private let asksPayload: Bool
  /// Whether the answer depends on a single state.
  private let asksOneState: Bool

  private var answerAfter: Bool?
  private var answerBefore: Bool?
  /// What the step to this row changed, and what the step before it did.
  private var step: Touches
  private var stepBefore: Touches

  /// Which dependencies a step may have changed.
  private struct Touches {
    var own: Bool
    var earlier: Bool
    /// Whether all changes to `own` are scalars that cannot make the test true.
    var isFutile = false
  }

  init(_ test: QueryTest) {
    self.test = test
    let dependencies = test.dependencies
    own = dependencies.filter { $0.place.root == .state }
    earlier = dependencies.filter { $0.place.root == .before }
    asksPayload = dependencies.contains { $0.place.root == .payload }
    asksOneState = !asksPayload && earlier.isEmpty && !test.comparesStates
    step = Touches(own: !own.isEmpty, earlier: !earlier.isEmpty)
    stepBefore = step
  }

  /// Moves on to the next row.
  ///
  /// - Parameter changes: how the row's state differs from the previous one. Nil if that is
  ///   unknown, or if the row is not the next one.
  mutating func follow(_ changes: [JSONReplacement]?) {
    guard let changes else {
      self = RememberedTest(test)
      return
    }
    stepBefore = step
    step = touches(of: changes)
    // This row's state before is the previous row's state after, so the step from the old state
    // before to the new one is `stepBefore`.
    if stepBefore.own || stepBefore.earlier { answerBefore = nil }
    if asksOneState, let answerAfter { answerBefore = answerAfter }
    let staysFalse = answerAfter == false && step.isFutile
    if step.own && !staysFalse || stepBefore.earlier { answerAfter = nil }
  }

  private func touches(of changes: [JSONReplacement]) -> Touches {
    var touches = Touches(own: false, earlier: false)
    for change in changes {
      touches.earlier = touches.earlier || Self.touch(earlier, by: change) != .nothing
      let touch = Self.touch(own, by: change)
      guard touch != .nothing else { continue }
      let isFutile = touch == .scalar && cannotMatter(change)
      touches.isFutile = isFutile && (touches.isFutile || !touches.own)
      touches.own = true
    }
    return touches
  }

  private static func touch(
    _ dependencies: [QueryDependency], by change: JSONReplacement
  ) -> QueryDependency.Touch {
    var touch = QueryDependency.Touch.nothing
    for dependency in dependencies { touch = max(touch, dependency.touch(by: change)) }
    return touch
  }

  /// Whether the change cannot make the test true: if the test was false, it still is.
  private func cannotMatter(_ change: JSONReplacement) -> Bool {
    guard !test.isForAll, let old = change.old, let new = change.new else { return false }
    return test.relation.isFalse(of: new, replacing: old)
  }

  /// Nil if the states must be read.
  func answer(about asked: AskedState) -> Bool? {
    switch asked {
    // Without a change that matters, nothing changed, grew or shrank.
    case .after:
      test.relation.comparesStates && (!step.own || step.isFutile) ? false : answerAfter
    case .before: answerBefore
    }
  }

  mutating func keep(_ answer: Bool, about asked: AskedState) {
    guard !asksPayload else { return }
    switch asked {
    case .after: answerAfter = answer
    case .before: answerBefore = answer
    }
  }
}
