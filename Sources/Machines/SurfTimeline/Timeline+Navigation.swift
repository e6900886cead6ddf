import SurfWire

/// Where a step back or forward from the app's position leads.
package enum NavigationStep: Equatable, Sendable {
  /// Row 0 is the initial state.
  case row(SequenceNumber)
  /// There is no further state in this direction.
  case end
  /// The answer depends on these rows, which this viewer has not loaded.
  case notLoaded(ClosedRange<SequenceNumber>)

  /// The step's row as the target of a reset.
  package var target: Position? {
    if case .row(let number) = self { Position(wire: number) } else { nil }
  }
}

extension Timeline {
  /// The nearest ancestor of the position that a viewer can surf to. The ancestors are the row it
  /// grew from, that row's parent, and all before, up to the initial state.
  ///
  /// From a state that no row carries, the step leads to the newest row. It always skips lost rows.
  /// It skips rows that are not loaded only if `skipsHoles`, for when no more of them are
  /// available.
  package func back(skipsHoles: Bool = false) -> NavigationStep {
    switch position {
    case .initial: .end
    case .record(let number): target(above: number, skipsHoles: skipsHoles)
    case .elsewhere: target(before: newestNumber.next, skipsHoles: skipsHoles)
    }
  }

  /// The next state in the position's newest future, or the end.
  package func forward(skipsHoles: Bool = false) -> NavigationStep {
    position == .elsewhere ? .end : target(below: position, skipsHoles: skipsHoles)
  }

  /// The nearest ancestor of a row that a viewer can surf to. If a parent is unknown or in no row,
  /// the nearest target before it in the list.
  package func target(above number: SequenceNumber, skipsHoles: Bool = false) -> NavigationStep {
    var number = number
    // Only the initial state precedes row 1, loaded or not.
    if number == 1 { return .row(0) }
    while number > 0 {
      guard let row = row(number) else {
        let isLost = skipsHoles || lost.contains(number)
        return isLost ? target(before: number, skipsHoles: skipsHoles) : .notLoaded(number...number)
      }
      // An app may name any row as the parent. One that is not older would loop forever.
      guard let origin = parent(of: row)?.row, origin < number else {
        return target(before: number, skipsHoles: skipsHoles)
      }
      if origin == 0 || self.row(origin)?.isTarget == true { return .row(origin) }
      number = origin
    }
    return .end
  }

  /// The nearest descendant of a position that a viewer can surf to, in its newest future.
  package func target(below position: Position, skipsHoles: Bool = false) -> NavigationStep {
    var (position, start) = (position, position.row ?? newestNumber)
    while start < newestNumber {
      let known = newestFuture(of: position, after: start)
      if !skipsHoles, let hole = hole(.after, known?.number ?? start, through: newestNumber) {
        return .notLoaded(hole)
      }
      guard let future = known ?? nextUnknown(after: start) else { return .end }
      if future.isTarget { return .row(future.number) }
      (position, start) = (.record(future.number), future.number)
    }
    return .end
  }

  /// The last row that grew from a position, searching from `start`.
  private func newestFuture(of position: Position, after start: SequenceNumber) -> Row? {
    let later = rows[firstIndex(from: start.next)...]
    if let branch = later.last(where: { $0.record.grownFrom?.origin == position }) { return branch }
    let next = later.first(where: \.isState)
    return next.flatMap { parent(of: $0) == position ? $0 : nil }
  }

  /// The next row with a state, if its parent is unknown: it may have grown from this one.
  private func nextUnknown(after start: SequenceNumber) -> Row? {
    let next = rows[firstIndex(from: start.next)...].first(where: \.isState)
    return next.flatMap { parent(of: $0) == nil ? $0 : nil }
  }

  /// The nearest row before `number` in the list that a viewer can surf to.
  package func target(before number: SequenceNumber, skipsHoles: Bool = false) -> NavigationStep {
    guard number > 0 else { return .end }
    let target = rows[..<firstIndex(from: number)].last(where: \.isTarget)?.number ?? 0
    if !skipsHoles, let hole = hole(.before, number, through: target.next) {
      return .notLoaded(hole)
    }
    return .row(target)
  }

  /// The row this many rows with a state before the newest one; the initial state is the first.
  ///
  /// - Returns: also how many rows are `left` to count, at the end or at rows that are not loaded.
  package func target(
    beforeNewest count: WireCount, skipsHoles: Bool = false
  ) -> (step: NavigationStep, left: WireCount) {
    var (bound, left) = (newestNumber.next, count)
    while true {
      let step = target(before: bound, skipsHoles: skipsHoles)
      guard case .row(let row) = step, !left.isZero else { return (step, left) }
      guard row > 0 else { return (.end, left) }
      (bound, left) = (row, left.subtracting(1))
    }
  }

  package enum Side: Sendable {
    case before, after
  }

  /// The run of rows nearest to one that are neither loaded nor lost.
  ///
  /// - Parameters:
  ///   - limit: The last row to look at.
  ///   - wanted: If one of these has lost its contents, it counts as not loaded.
  package func hole(
    _ side: Side, _ number: SequenceNumber, through limit: SequenceNumber,
    wantingContentsOf wanted: SequenceRanges = SequenceRanges()
  ) -> ClosedRange<SequenceNumber>? {
    let isAfter = side == .after
    guard isAfter ? number < limit : limit < number else { return nil }
    var start = number
    func hole(upTo end: SequenceNumber) -> ClosedRange<SequenceNumber>? {
      let (first, last) = (min(start, end).next, max(start, end).previous)
      guard first <= last else { return nil }
      let holes = lost.complement(in: first...last)
      return isAfter ? holes.first : holes.last
    }
    let index = isAfter ? firstIndex(from: number.next) : firstIndex(from: number) - 1
    for index in stride(from: index, to: isAfter ? rows.count : -1, by: isAfter ? 1 : -1) {
      let next = rows[index].number
      guard isAfter ? next <= limit : limit <= next else { break }
      if rows[index].isDropped, wanted.contains(next) { continue }
      if let hole = hole(upTo: next) { return hole }
      start = next
    }
    return hole(upTo: isAfter ? limit.next : limit.previous)
  }
}
