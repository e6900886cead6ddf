import SurfWire

/// Where a step from the app's position leads.
package enum NavigationStep: Equatable, Sendable {
  /// To this row; 0 is the initial state.
  case row(SequenceNumber)
  /// Nowhere: it is at the end already.
  case end
  /// It depends on these rows, which this viewer has not loaded.
  case notLoaded(ClosedRange<SequenceNumber>)

  /// The same step as a target for a reset.
  package var target: Position? {
    if case .row(let number) = self { Position(wire: number) } else { nil }
  }
}

extension Timeline {
  /// The nearest row before the position that carries a state; row 0 is before the first.
  ///
  /// From a state that no row carries, it leads to the newest row. It passes over lost rows, and
  /// over rows not loaded only if `skipsHoles`, when no more of them are available.
  package func back(skipsHoles: Bool = false) -> NavigationStep {
    switch position {
    case .initial: .end
    case .record(let number): target(before: number, skipsHoles: skipsHoles)
    case .elsewhere: target(before: newestNumber.next, skipsHoles: skipsHoles)
    }
  }

  /// The nearest row after the position that carries a state, or the end.
  package func forward(skipsHoles: Bool = false) -> NavigationStep {
    switch position {
    case .initial: target(after: 0, skipsHoles: skipsHoles)
    case .record(let number): target(after: number, skipsHoles: skipsHoles)
    case .elsewhere: .end
    }
  }

  /// Whether no loaded row lies forward of the position.
  package var isTip: Bool { forward(skipsHoles: true) == .end }

  /// The nearest row before `number` that a viewer can surf to.
  package func target(before number: SequenceNumber, skipsHoles: Bool = false) -> NavigationStep {
    guard number > 0 else { return .end }
    var upper = number.previous
    for row in rows[..<firstIndex(from: number)].reversed() {
      if !skipsHoles, let hole = hole(after: row.number, through: upper) { return .notLoaded(hole) }
      if row.isTarget { return .row(row.number) }
      upper = row.number.previous
    }
    if !skipsHoles, let hole = hole(after: 0, through: upper) { return .notLoaded(hole) }
    return .row(0)
  }

  /// The nearest row after `number` that a viewer can surf to.
  package func target(after number: SequenceNumber, skipsHoles: Bool = false) -> NavigationStep {
    guard number < newestNumber else { return .end }
    var last = number
    for row in rows[firstIndex(from: number.next)...] {
      if !skipsHoles, let hole = hole(after: last, through: row.number.previous) {
        return .notLoaded(hole)
      }
      if row.isTarget { return .row(row.number) }
      last = row.number
    }
    if !skipsHoles, let hole = hole(after: last, through: newestNumber) { return .notLoaded(hole) }
    return .end
  }

  /// The first run between two rows that is neither there nor lost.
  func hole(after number: SequenceNumber, through last: SequenceNumber) -> ClosedRange<
    SequenceNumber
  >? {
    number < last ? lost.complement(in: number.next...last).first : nil
  }
}
