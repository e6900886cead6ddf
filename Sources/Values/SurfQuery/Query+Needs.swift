// What must be known of a row to answer a query.
extension Query {
  /// The choices of its fields `chain`.
  package var chains: Set<[QueryChoice]> {
    var chains: Set<[QueryChoice]> = []
    visit { if case .field(.chain, let choices) = $0 { chains.insert(choices) } }
    return chains
  }

  /// Whether the states count, or only the rows themselves.
  package var asksStates: Bool { !places.isEmpty || comparesStates }

  /// Whether something is asked of the row itself, which happens once, and not of the state alone.
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

  /// Whether the state before counts.
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

  /// The places in states that it names, each once.
  package var places: [QueryPlace] {
    var places: [QueryPlace] = []
    visit {
      guard case .test(let test) = $0, test.place.root != .payload else { return }
      if !places.contains(test.place) { places.append(test.place) }
    }
    return places
  }

  private func visit(_ body: (Query) -> Void) {
    body(self)
    switch self {
    case .any(let parts), .all(let parts): for part in parts { part.visit(body) }
    case .not(let part), .before(let part), .becomes(let part): part.visit(body)
    case .field, .test, .changed, .text: break
    }
  }
}

extension QueryTest {
  /// Whether it cannot be answered without the state before.
  var comparesStates: Bool {
    if place.root == .before || relation.comparesStates { return true }
    guard case .compares(_, .place(let other)) = relation else { return false }
    return other.root == .before
  }
}

extension [QueryChoice] {
  /// Whether one of them is true of a number.
  package func contain(_ number: UInt64) -> Bool {
    let number = BigDecimal(number)
    return contains { $0.holds(number) }
  }
}
