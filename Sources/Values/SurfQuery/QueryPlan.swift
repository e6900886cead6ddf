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

  /// - Parameter tests: the list, to which new tests are appended.
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
