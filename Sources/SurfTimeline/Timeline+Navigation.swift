import SurfWire

/// Where a step from the app's position leads.
package enum Step: Equatable, Sendable {
  /// To this row; 0 is the initial state.
  case row(UInt64)
  /// Nowhere: it is at the end already.
  case end
  /// It depends on these rows, which this viewer has not loaded.
  case notLoaded(ClosedRange<UInt64>)

  /// The same step as a target for a reset.
  package var target: Position? {
    if case .row(let number) = self { Position(wire: number) } else { nil }
  }
}

extension Timeline {
  /// The nearest row before the position that carries a state; row 0 is before the first.
  ///
  /// From a state that no row carries, it leads to the newest row. Lost rows are passed over; rows
  /// that are merely not loaded only if `skipsHoles`, when nothing more can be had.
  package func back(skipsHoles: Bool = false) -> Step {
    switch position {
    case .initial: .end
    case .record(let number): target(before: number, skipsHoles: skipsHoles)
    case .elsewhere: target(before: newestNumber + 1, skipsHoles: skipsHoles)
    }
  }

  /// The nearest row after the position that carries a state, or the end.
  package func forward(skipsHoles: Bool = false) -> Step {
    switch position {
    case .initial: target(after: 0, skipsHoles: skipsHoles)
    case .record(let number): target(after: number, skipsHoles: skipsHoles)
    case .elsewhere: .end
    }
  }

  /// Whether there is nowhere forward to go from the position, as far as is loaded.
  package var isTip: Bool { forward(skipsHoles: true) == .end }

  /// The newest row that one can surf to; 0 if there is none but the initial state.
  package var newestTarget: UInt64 { rows.last(where: \.isTarget)?.number ?? 0 }

  /// The nearest row before `number` that one can surf to.
  package func target(before number: UInt64, skipsHoles: Bool = false) -> Step {
    guard number > 0 else { return .end }
    var upper = number - 1
    for row in rows[..<firstIndex(from: number)].reversed() {
      if !skipsHoles, let hole = hole(after: row.number, through: upper) { return .notLoaded(hole) }
      if row.isTarget { return .row(row.number) }
      upper = row.number - 1
    }
    if !skipsHoles, let hole = hole(after: 0, through: upper) { return .notLoaded(hole) }
    return .row(0)
  }

  /// The nearest row after `number` that one can surf to.
  package func target(after number: UInt64, skipsHoles: Bool = false) -> Step {
    guard number < newestNumber else { return .end }
    var last = number
    for row in rows[firstIndex(from: number + 1)...] {
      if !skipsHoles, let hole = hole(after: last, through: row.number - 1) {
        return .notLoaded(hole)
      }
      if row.isTarget { return .row(row.number) }
      last = row.number
    }
    if !skipsHoles, let hole = hole(after: last, through: newestNumber) { return .notLoaded(hole) }
    return .end
  }

  /// The first run between two rows that is neither there nor lost.
  func hole(after number: UInt64, through last: UInt64) -> ClosedRange<UInt64>? {
    number < last ? lost.complement(in: (number + 1)...last).first : nil
  }
}
