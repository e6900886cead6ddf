import JSONTools
import JSONTree
import SurfQuery
import SurfWire
import TestSupport
import Testing

/// Laws that hold for whatever is asked of whatever state.
@Suite struct QueryLawTests {
  private func holds(_ query: Query, _ subject: QuerySubject) -> Bool {
    var evaluator = QueryEvaluator(query)
    return evaluator.holds(for: subject)
  }

  private func subject(_ maker: inout RandomQuery) -> QuerySubject {
    let payload = Content(type: "application/json", bytes: maker.state(depth: 2).bytes())
    let kinds: [Record.Kind] = [.action, .log(.error), .mark]
    let number = UInt64.random(in: 1...10, using: &maker.random)
    let record = Record(
      sequence: SequenceNumber(number), kind: kinds[Int(number) % 3], wallTime: Int64(number << 40),
      name: "add milk", source: "a/Main.swift:7", payload: payload)
    var subject = QuerySubject(record, state: maker.state(), before: maker.state())
    if number == 10 { subject.before = nil }
    return subject
  }

  @Test(arguments: 0..<60) func `what is printed is read as the same tree`(seed: UInt64) throws {
    var maker = RandomQuery(seed: seed)
    for _ in 0..<100 {
      let query = maker.query()
      let again = try Query(query.description)
      #expect(again == query, "\(query)")
    }
  }

  @Test(arguments: 0..<40) func `the laws of logic hold`(seed: UInt64) {
    var maker = RandomQuery(seed: seed)
    for _ in 0..<60 {
      let (first, second) = (maker.query(), maker.query())
      let subject = subject(&maker)
      let (isFirst, isSecond) = (holds(first, subject), holds(second, subject))
      #expect(holds(.not(.not(first)), subject) == isFirst, "\(first)")
      #expect(holds(.all([first, second]), subject) == (isFirst && isSecond))
      #expect(holds(.any([first, second]), subject) == (isFirst || isSecond))
      #expect(
        holds(.not(.all([first, second])), subject)
          == holds(.any([.not(first), .not(second)]), subject), "\(first) | \(second)")
    }
  }

  @Test(arguments: 0..<40) func `to become is to be now and not before`(seed: UInt64) {
    var maker = RandomQuery(seed: seed)
    for _ in 0..<60 {
      let query = maker.query(isOfOneState: true)
      let subject = subject(&maker)
      guard subject.before != nil else { continue }
      var earlier = subject
      earlier.state = subject.before
      let wasSo = holds(.before(query), subject)
      #expect(wasSo == holds(query, earlier), "\(query)")
      #expect(
        holds(.becomes(query), subject) == (holds(query, subject) && !wasSo), "\(query)")
    }
  }

  @Test(arguments: 0..<40) func `what is denied is the opposite`(seed: UInt64) {
    var maker = RandomQuery(seed: seed)
    for _ in 0..<100 {
      let test = maker.test(true)
      guard case .compares(_, let value) = test.relation else { continue }
      let subject = subject(&maker)
      func holds(_ comparison: QueryRelation.Comparison) -> Bool {
        self.holds(.test(QueryTest(test.place, .compares(comparison, value))), subject)
      }
      #expect(holds(.different) == !holds(.equal), "\(test)")
      if case .place = value { continue }
      #expect(holds(.atLeast) == (holds(.over) || holds(.equal)), "\(test)")
      #expect(holds(.atMost) == (holds(.under) || holds(.equal)), "\(test)")
    }
  }

  @Test(arguments: 0..<40) func `a place is there or missing`(seed: UInt64) {
    var maker = RandomQuery(seed: seed)
    for _ in 0..<100 {
      let test = maker.test(true)
      let subject = subject(&maker)
      func holds(_ relation: QueryRelation, isForAll: Bool = false) -> Bool {
        self.holds(.test(QueryTest(isForAll: isForAll, test.place, relation)), subject)
      }
      #expect(holds(.exists) == !holds(.missing), "\(test)")
      let types = QueryRelation.ValueType.allCases.filter { holds(.isOfType($0)) }
      #expect(types.isEmpty == holds(.missing), "\(test)")
      let isOfAll = types.filter { holds(.isOfType($0), isForAll: true) }
      #expect((types.count == 1) == !isOfAll.isEmpty)
    }
  }

  @Test(arguments: 0..<40) func `a state that stays changes nothing`(seed: UInt64) {
    var maker = RandomQuery(seed: seed)
    for _ in 0..<60 {
      var subject = subject(&maker)
      subject.before = subject.state
      let place = maker.test(true).place
      for relation in [QueryRelation.changed(from: nil, to: nil), .grew(by: nil), .shrank(by: nil)]
      {
        let isChanged = holds(
          .test(QueryTest(QueryPlace(.state, place.steps), relation)), subject)
        #expect(!isChanged, "\(place)")
      }
      #expect(!holds(.changed, subject))
    }
  }

  /// Words that begin a query, or say where a path begins.
  private static let taken = ["not", "and", "or", "before", "becomes", "state", "payload"]

  @Test(arguments: 0..<40) func `a path that diff prints leads to what it prints`(seed: UInt64)
    throws
  {
    var maker = RandomQuery(seed: seed)
    for _ in 0..<40 {
      let subject = subject(&maker)
      for change in JSON.diff(subject.before ?? .null, subject.state ?? .null) {
        if case .key(let key)? = change.path.elements.first, Self.taken.contains(key) { continue }
        let query = try Query("\(change.path) changed")
        guard case .test(let test) = query else { return #expect(Bool(false), "\(query)") }
        let steps = change.path.elements.map { element -> QueryPlace.Step in
          switch element {
          case .key(let key): .key(key)
          case .index(let index): .index(index)
          }
        }
        #expect(test.place == QueryPlace(.state, steps))
        // An element that came or went may stand elsewhere in both.
        guard case .changed(let path, let old, _) = change,
          subject.before?[path.pointer] == old
        else { continue }
        #expect(holds(query, subject))
      }
    }
  }
}
