import JSONTools

/// A query prepared by `QueryEvaluator` for many rows: equal tests share one entry in a list.
indirect enum QueryPlan: Sendable {
  case any([QueryPlan])
  case all([QueryPlan])
  case not(QueryPlan)
  case before(QueryPlan)
  case field(QueryField, [QueryChoice])
  /// The test's index in the list.
  case test(Int)
  case changed
  case text(TextSearch)

  /// - Parameter tests: the list to append new tests to.
  init(_ query: Query, adding tests: inout [QueryTest]) {
    switch query {
    case .any(let parts): self = .any(parts.map { QueryPlan($0, adding: &tests) })
    case .all(let parts): self = .all(parts.map { QueryPlan($0, adding: &tests) })
    case .not(let part): self = .not(QueryPlan(part, adding: &tests))
    case .before(let part): self = .before(QueryPlan(part, adding: &tests))
    case .becomes(let part):
      let plan = QueryPlan(part, adding: &tests)
      self = .all([plan, .not(.before(plan))])
    case .field(let field, let choices): self = .field(field, choices)
    case .test(let test):
      let known = tests.firstIndex(of: test)
      self = .test(known ?? tests.count)
      if known == nil { tests.append(test) }
    case .changed: self = .changed
    case .text(let text): self = .text(TextSearch(text))
    }
  }
}

/// Tells a `JSONRereader` which scalars of a state a query can ignore. `RowProbe` of the viewers
/// asks it.
package struct QuerySight: Sendable {
  private let dependencies: [QueryDependency]
  private let seesAll: Bool

  package init(_ query: Query) {
    var tests: [QueryTest] = []
    seesAll = QueryPlan(query, adding: &tests).looksAtAll
    dependencies = tests.flatMap(\.dependencies).filter { $0.place.root != .payload }
  }

  /// Whether the query's answer may depend on a scalar at this place.
  package func sees(_ path: JSONPath) -> Bool {
    seesAll || dependencies.contains { $0.touch(byScalarAt: path) != .nothing }
  }
}

extension QueryPlan {
  /// Whether the plan contains `changed`, which depends on every value.
  fileprivate var looksAtAll: Bool {
    switch self {
    case .any(let parts), .all(let parts): parts.contains(where: \.looksAtAll)
    case .not(let part), .before(let part): part.looksAtAll
    case .changed: true
    case .field, .test, .text: false
    }
  }
}

/// Whether a query can be true, and whether it can be false, of a row that is known only by the
/// step to it. `QueryEvaluator.rulesOut` lets a search skip rows by it.
struct QueryChance {
  let mayHold: Bool
  let mayFail: Bool

  private init(mayHold: Bool, mayFail: Bool) {
    self.mayHold = mayHold
    self.mayFail = mayFail
  }

  private init(known answer: Bool) { self.init(mayHold: answer, mayFail: !answer) }

  private static let open = QueryChance(mayHold: true, mayFail: true)

  /// - Parameters:
  ///   - changes: from the state before to the row's state.
  ///   - tests: must have followed the step already.
  init(
    of plan: QueryPlan, _ changes: [JSONReplacement], _ tests: [RememberedTest],
    _ asked: RememberedTest.AskedState
  ) {
    func chance(_ part: QueryPlan, _ asked: RememberedTest.AskedState) -> QueryChance {
      QueryChance(of: part, changes, tests, asked)
    }
    switch plan {
    case .any(let parts):
      self.init(
        mayHold: parts.contains { chance($0, asked).mayHold },
        mayFail: parts.allSatisfy { chance($0, asked).mayFail })
    case .all(let parts):
      self.init(
        mayHold: parts.allSatisfy { chance($0, asked).mayHold },
        mayFail: parts.contains { chance($0, asked).mayFail })
    case .not(let part):
      let chance = chance(part, asked)
      self.init(mayHold: chance.mayFail, mayFail: chance.mayHold)
    case .before(let part): self = chance(part, .before)
    case .field, .text: self = .open
    case .test(let index):
      self = tests[index].answer(about: asked).map(QueryChance.init(known:)) ?? .open
    case .changed:
      // If a key repeats, the change may be to the member that does not count.
      self.init(mayHold: changes.contains { $0.old != $0.new }, mayFail: true)
    }
  }
}
