import JSONTools

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
