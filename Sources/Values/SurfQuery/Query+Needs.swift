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
    var asks = false
    visit {
      switch $0 {
      case .text: asks = true
      case .test(let test): asks = asks || test.place.root == .payload
      case .any, .all, .not, .before, .becomes, .changed, .field: break
      }
    }
    return asks
  }

  /// Whether the query asks about the event of a row, and not only about the state after it.
  package var asksRows: Bool {
    var asks = false
    visit {
      switch $0 {
      case .field, .text: asks = true
      case .test(let test): asks = asks || test.place.root == .payload
      case .any, .all, .not, .before, .becomes, .changed: break
      }
    }
    return asks
  }

  /// Whether the query needs the state before, or its size.
  package var comparesStates: Bool {
    var compares = false
    visit {
      switch $0 {
      case .before, .becomes, .changed, .field(.grew, _): compares = true
      case .test(let test): compares = compares || test.comparesStates
      case .any, .all, .not, .field, .text: break
      }
    }
    return compares
  }

  /// The places in states that the tests name, without duplicates.
  package var places: [QueryPlace] {
    var places: [QueryPlace] = []
    visit {
      guard case .test(let test) = $0, test.place.root != .payload else { return }
      if !places.contains(test.place) { places.append(test.place) }
    }
    return places
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
