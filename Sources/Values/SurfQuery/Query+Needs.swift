// The facts about rows that a search needs to answer a query.
extension Query {
  /// The choices of each `chain` field.
  package var chains: Set<[QueryChoice]> {
    var chains: Set<[QueryChoice]> = []
    visit { if case .field(.chain, let choices) = $0 { chains.insert(choices) } }
    return chains
  }

  /// Whether the query needs states, and not only the rows themselves.
  package var asksStates: Bool { !places.isEmpty || comparesStates }

  /// Whether the query needs the payloads of rows.
  package var asksPayloads: Bool {
    contains { if case .text = $0 { true } else { $0.test?.place.root == .payload } }
  }

  /// Whether the query asks about the event of a row, and not only about the state after it.
  package var asksRows: Bool {
    asksPayloads || contains { if case .field = $0 { true } else { false } }
  }

  /// Whether the query needs the state before, or its size.
  package var comparesStates: Bool {
    contains {
      switch $0 {
      case .before, .becomes, .changed, .field(.grew, _): true
      default: $0.test?.comparesStates == true
      }
    }
  }

  /// The places in states that the tests name, without duplicates.
  package var places: [QueryPlace] {
    var places: [QueryPlace] = []
    visit {
      guard let place = $0.test?.place, place.root != .payload else { return }
      if !places.contains(place) { places.append(place) }
    }
    return places
  }

  private var test: QueryTest? { if case .test(let test) = self { test } else { nil } }

  private func contains(_ isWanted: (Query) -> Bool) -> Bool {
    var isFound = false
    visit { isFound = isFound || isWanted($0) }
    return isFound
  }

  func visit(_ body: (Query) -> Void) {
    body(self)
    switch self {
    case .any(let parts), .all(let parts): for part in parts { part.visit(body) }
    case .not(let part), .before(let part), .becomes(let part): part.visit(body)
    case .field, .test, .changed, .text: break
    }
  }
}

extension QueryTest {
  /// Whether the test needs the state before.
  var comparesStates: Bool {
    if place.root == .before || relation.comparesStates { return true }
    guard case .compares(_, .place(let other)) = relation else { return false }
    return other.root == .before
  }
}

extension [QueryChoice] {
  package func contain(_ number: UInt64) -> Bool {
    let number = BigDecimal(number)
    return contains { $0.holds(number) }
  }
}
