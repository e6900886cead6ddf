import JSONTools

/// The places in states that a query looks at.
package struct QuerySight: Sendable {
  private let dependencies: [QueryDependency]
  private let seesAll: Bool

  package init(_ query: Query) {
    var tests: [QueryTest] = []
    seesAll = QueryPlan(query, adding: &tests).looksAtAll
    dependencies = tests.flatMap(\.dependencies).filter { $0.place.root != .payload }
  }

  /// Whether the answer may be another once a scalar at a place has become another one.
  package func sees(_ path: JSONPath) -> Bool {
    seesAll || dependencies.contains { $0.touch(byScalarAt: path) != .nothing }
  }
}

extension QueryPlan {
  /// Whether it asks if anything at all has changed.
  fileprivate var looksAtAll: Bool {
    switch self {
    case .any(let parts), .all(let parts): parts.contains(where: \.looksAtAll)
    case .not(let part), .before(let part): part.looksAtAll
    case .changed: true
    case .field, .test, .text: false
    }
  }
}
