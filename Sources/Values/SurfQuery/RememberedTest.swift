import JSONTools

/// A test, and what was answered to it last: an answer is kept until a value on which it depends
/// may have changed. So it takes two truth values of memory, whatever the states are.
struct RememberedTest: Sendable {
  /// Which state a test is asked about.
  enum AskedState: Sendable {
    case after, before
  }

  let test: QueryTest
  /// Of the state that is asked about, and of the state before.
  private let own: [QueryDependency]
  private let earlier: [QueryDependency]
  /// Whether it asks the payload, which is another in every row.
  private let asksPayload: Bool
  /// Whether its answer is a fact of one state.
  private let asksOneState: Bool

  private var answerAfter: Bool?
  private var answerBefore: Bool?
  /// What the step to the row that is asked about has changed, and the step before that one.
  private var step: Touches
  private var stepBefore: Touches

  /// What a step may have done to what the test depends on.
  private struct Touches {
    var own: Bool
    var earlier: Bool
    /// Whether it did to its own nothing of which the test could be true.
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

  /// Goes on to the next row.
  ///
  /// - Parameter changes: by which its state differs from that of the row before it; nil if that is
  ///   not known, or the row is not the next one.
  mutating func follow(_ changes: [JSONReplacement]?) {
    guard let changes else {
      self = RememberedTest(test)
      return
    }
    stepBefore = step
    step = touches(of: changes)
    // The state before this row is the one after the row before: the step between the states
    // before these rows is the last one.
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

  /// Whether the test is true of no such scalar: where it was false, it still is.
  private func cannotMatter(_ change: JSONReplacement) -> Bool {
    guard !test.isForAll, let old = change.old, let new = change.new else { return false }
    return test.relation.isFalse(of: new, replacing: old)
  }

  /// Nil if it must be looked at.
  func answer(about asked: AskedState) -> Bool? {
    switch asked {
    // Where nothing has changed, nothing has grown.
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
