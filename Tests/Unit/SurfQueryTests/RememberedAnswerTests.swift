import JSONTools
import JSONTree
import SurfQuery
import SurfWire
import Testing

/// The facts that an evaluator remembers about earlier rows.
@Suite struct RememberedAnswerTests {
  private func answer(_ query: Query, _ subject: QuerySubject) -> Bool {
    var subject = subject
    subject.step = nil
    var evaluator = QueryEvaluator(query)
    return evaluator.holds(for: subject)
  }

  @Test(arguments: 0..<60)
  func `what is remembered is what a look at the states would answer`(seed: UInt64) {
    var states = RandomStates(seed: seed)
    var evaluators = (0..<12).map { _ in QueryEvaluator(states.query()) }
    for _ in 0..<30 {
      let subject = states.next()
      for index in evaluators.indices {
        let query = evaluators[index].query
        let wanted = answer(query, subject)
        #expect(evaluators[index].holds(for: subject) == wanted, "\(query)")
      }
    }
  }

  @Test(arguments: 0..<60)
  func `a row is ruled out only if the query is not true of it`(seed: UInt64) {
    var states = RandomStates(seed: seed)
    var evaluators = (0..<12).map { _ in QueryEvaluator(states.query()) }
    for _ in 0..<30 {
      let subject = states.next()
      for index in evaluators.indices {
        let query = evaluators[index].query
        let wanted = answer(query, subject)
        if let step = subject.step, subject.before != nil, evaluators[index].rulesOut(step) {
          #expect(!wanted, "\(query)")
        } else {
          #expect(evaluators[index].holds(for: subject) == wanted, "\(query)")
        }
      }
    }
  }

  /// A step without the scalars that a query does not look at.
  private func seen(_ subject: QuerySubject, by query: Query) -> StateStep? {
    guard let step = subject.step else { return nil }
    let sight = QuerySight(query)
    return StateStep(
      step.number,
      changes: step.changes?.filter { change in
        let isScalar = change.old?.isScalar ?? false && change.new?.isScalar ?? false
        return !isScalar || sight.sees(change.path)
      })
  }

  @Test(arguments: 0..<60)
  func `scalars out of a query's sight leave its answer`(seed: UInt64) {
    var states = RandomStates(seed: seed)
    var evaluators = (0..<12).map { _ in QueryEvaluator(states.query()) }
    for _ in 0..<30 {
      let whole = states.next()
      for index in evaluators.indices {
        let query = evaluators[index].query
        let wanted = answer(query, whole)
        var subject = whole
        subject.step = seen(whole, by: query)
        // Whether the states differ is not known by such a step.
        subject.isChanged = nil
        if let step = subject.step, subject.before != nil, evaluators[index].rulesOut(step) {
          #expect(!wanted, "\(query)")
        } else {
          #expect(evaluators[index].holds(for: subject) == wanted, "\(query)")
        }
      }
    }
  }

  @Test(arguments: [
    ("user.name is ada", "user.name", true), ("user.name is ada", "user.mail", false),
    ("changed", "n", true), ("not (before n is 3 or changed)", "m", true),
    ("items.*.price over 3", "items[4].price", true), ("items.*.price over 3", "items[4]", false),
    ("..name is ada", "a.b[2].name", true), ("items[id:7].price over 3", "items[0].id", true),
    ("items.@count over 3", "items[0]", false), ("before.n is 3", "n", true),
    ("n is before.m", "m", true), ("payload.n is 3", "n", false), ("kind:log", "n", false),
    ("user exists", "user", false), ("becomes n over 3", "n", true), ("$ is 3", "$", true),
  ])
  func `a query looks at the places that its tests depend on`(
    query: String, place: String, isSeen: Bool
  ) throws {
    let path = try #require(JSONPath(parsing: place))
    #expect(QuerySight(try Query(query)).sees(path) == isSeen)
  }

  @Test func `of wild histories many rows are ruled out`() {
    var (count, failureCount) = (0, 0)
    for seed in 0..<100 as Range<UInt64> {
      var states = RandomStates(seed: seed)
      var evaluator = QueryEvaluator(states.query())
      for _ in 0..<40 {
        let subject = states.next()
        if let step = subject.step, subject.before != nil, evaluator.rulesOut(step) {
          count += 1
        } else if !evaluator.holds(for: subject) {
          failureCount += 1
        }
      }
    }
    #expect(count > failureCount / 2, "\(count) ruled out, \(failureCount) looked at")
  }

  /// Whether a step from the state to a third one is ruled out.
  @Test(arguments: [
    ("n over 5", #""n":0"#, #""n":1"#, true), ("n over 5", #""n":0"#, #""n":6"#, false),
    ("items.*.price over 8", #""price":5"#, #""price":6"#, true),
    ("items.*.price over 8", #""price":5"#, #""price":9"#, false),
    ("items[id:7].price over 8", #""price":5"#, #""price":6"#, true),
    ("..price is 4", #""price":5"#, #""price":6"#, true),
    ("n changed to 5", #""n":0"#, #""n":1"#, true), ("n grew", #""n":0"#, #""n":-1"#, true),
    ("n changed", #""n":0"#, #""n":1"#, false), ("becomes n over 5", #""n":0"#, #""n":1"#, true),
    ("not (n is 0)", #""n":0"#, #""n":1"#, false), ("user.name is eve", #""n":0"#, #""n":1"#, true),
    ("n over 5 or name:b", #""n":0"#, #""n":1"#, false),
    ("n over 5 and name:b", #""n":0"#, #""n":1"#, true),
    ("state.items.@sum.price over 100", #""price":5"#, #""price":6"#, false),
    ("all items.*.price over 4", #""price":5"#, #""price":6"#, false), ("changed", "7", "8", false),
  ])
  func `scalars of which a test is not true leave it false`(
    query: String, old: String, new: String, isRuledOut: Bool
  ) throws {
    var evaluator = QueryEvaluator(try Query(query))
    var reader = JSONRereader()
    var before: JSON?
    for (index, text) in [Self.state, Self.state, state(old, new)].enumerated() {
      guard case .value(let json, _, let changes) = reader.read(Array(text.utf8)) else { continue }
      let step = StateStep(index, changes: changes)
      if index == 2 {
        #expect(evaluator.rulesOut(step) == isRuledOut)
      } else {
        var subject = QuerySubject(
          Record(sequence: 1, kind: .action, name: "a"), state: json, before: before)
        subject.step = step
        _ = evaluator.holds(for: subject)
      }
      before = json
    }
  }

  @Test func `of two members of one name the one that counts is asked`() throws {
    var evaluator = QueryEvaluator(try Query("a changed"))
    var reader = JSONRereader()
    var before: JSON?
    var answers: [Bool] = []
    for (index, text) in [#"{"a":1,"a":5}"#, #"{"a":5,"a":5}"#, #"{"a":5,"a":6}"#].enumerated() {
      guard case .value(let json, _, let changes) = reader.read(Array(text.utf8)) else { continue }
      var subject = QuerySubject(
        Record(sequence: 1, kind: .action, name: "a"), state: json, before: before)
      subject.step = StateStep(index, changes: changes)
      answers.append(evaluator.holds(for: subject))
      before = json
    }
    #expect(answers == [false, false, true])
  }

  @Test func `of wild histories many answers are remembered`() {
    var (kept, looks) = (0, 0)
    for seed in 0..<40 as Range<UInt64> {
      var states = RandomStates(seed: seed)
      var evaluator = QueryEvaluator(states.query())
      for _ in 0..<40 {
        let subject = states.next()
        _ = evaluator.holds(for: subject)
      }
      kept += evaluator.counts.keptCount
      looks += evaluator.counts.lookCount
    }
    #expect(kept > looks / 4, "\(kept) kept, \(looks) looks")
  }

  private static let state = #"""
    {"n":0,"user":{"name":"ada"},"items":[{"id":1,"price":3,"tags":["a"]},{"id":7,"price":5}]}
    """#

  /// How often the states are looked at for a first row, a second row like it, and a third.
  private func lookCount(_ query: String, _ third: String) throws -> Int {
    var evaluator = QueryEvaluator(try Query(query))
    var reader = JSONRereader()
    var before: JSON?
    for (index, text) in [Self.state, Self.state, third].enumerated() {
      guard case .value(let json, _, let changes) = reader.read(Array(text.utf8)) else { continue }
      var subject = QuerySubject(
        Record(sequence: 1, kind: .action, name: "a"), state: json, before: before)
      subject.step = StateStep(index, changes: changes)
      _ = evaluator.holds(for: subject)
      before = json
    }
    return evaluator.counts.lookCount
  }

  private func state(_ old: String, _ new: String) -> String {
    Self.state.replacing(old, with: new)
  }

  @Test(arguments: [
    "user.name is ada", "items.*.price over 3", "state.items.@sum.price over 3", "..name is ada",
    "items[id:7].price over 3", "items.@count over 1", "not (items[-1].id is 3)", "user exists",
  ])
  func `a test is asked once as long as other places change`(query: String) throws {
    let untouched = 1
    #expect(try lookCount(query, state(#""n":0"#, #""n":100"#)) == untouched)
  }

  @Test(arguments: [
    ("items.@count over 1", #""price":5"#, #""price":6"#, 1),
    ("state.items.@count.price over 1", #""price":5"#, #""price":6"#, 1),
    ("items.*.price exists", #""price":5"#, #""price":6"#, 1),
    ("items.*.price over 3", #""price":5"#, #""price":6"#, 2),
    ("items.*.id over 3", #""price":5"#, #""price":6"#, 1),
    ("..price over 3", #""price":5"#, #""price":6"#, 2),
    ("..name over 3", #""price":5"#, #""price":6"#, 1),
    ("state.items.@sum.price over 3", #""price":5"#, #""price":6"#, 2),
    ("items[id:7].price over 3", #""id":1"#, #""id":2"#, 2),
    ("user.name is state.items[0].price", #""price":3"#, #""price":4"#, 2),
    ("before.n is 0", #""n":0"#, #""n":1"#, 1), ("becomes n over 0", #""n":0"#, #""n":1"#, 2),
    ("user.name changed", #""n":0"#, #""n":1"#, 0),
    ("user.name changed", #""ada""#, #""eve""#, 1),
    ("items[-1].price over 3", #""price":5"#, #""price":6"#, 2),
    ("user.mail exists", #""ada""#, #""ada","mail":1"#, 2),
    ("user.mail exists", #""ada""#, #""ada","age":1"#, 1),
    ("user.@count is 1", #""ada""#, #""ada","mail":1"#, 2),
  ])
  func `a test is asked again where what it names has changed`(
    query: String, old: String, new: String, count: Int
  ) throws {
    #expect(try lookCount(query, state(old, new)) == count)
  }

  @Test func `rows that are no neighbours are looked at`() throws {
    var evaluator = QueryEvaluator(try Query("n is 1"))
    for (number, value) in [(1, 1), (2, 1), (4, 2), (5, 2)] as [(Int, JSON)] {
      var subject = QuerySubject(
        Record(sequence: 1, kind: .action, name: "a"), state: ["n": value], before: [:])
      subject.step = StateStep(number, changes: [])
      let isOne = value == 1
      #expect(evaluator.holds(for: subject) == isOne)
    }
    let lookCount = 2
    #expect(evaluator.counts.lookCount == lookCount)
  }
}
