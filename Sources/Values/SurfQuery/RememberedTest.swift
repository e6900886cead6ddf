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

  private var answerAfter: Bool?
  private var answerBefore: Bool?
  /// What the step to the row that is asked about has changed, and the step before that one.
  private var step: Touches
  private var stepBefore: Touches

  /// Whether a step may have changed what the test depends on.
  private struct Touches {
    var own: Bool
    var earlier: Bool
  }

  init(_ test: QueryTest) {
    self.test = test
    let dependencies = test.dependencies
    own = dependencies.filter { $0.place.root == .state }
    earlier = dependencies.filter { $0.place.root == .before }
    asksPayload = dependencies.contains { $0.place.root == .payload }
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
    step = Touches(own: Self.touch(own, changes), earlier: Self.touch(earlier, changes))
    // The state before this row is the one after the row before: the step between the states
    // before these rows is the last one.
    if step.own || stepBefore.earlier { answerAfter = nil }
    if stepBefore.own || stepBefore.earlier { answerBefore = nil }
  }

  private static func touch(
    _ dependencies: [QueryDependency], _ changes: [JSONReplacement]
  ) -> Bool {
    dependencies.contains { changes.contains(where: $0.isTouched) }
  }

  /// Nil if it must be looked at.
  func answer(about asked: AskedState) -> Bool? {
    switch asked {
    // Where nothing has changed, nothing has grown.
    case .after: test.relation.comparesStates && !step.own ? false : answerAfter
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
