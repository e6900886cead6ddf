package import SurfControl

// `setSkipped` and `reorder` return the ids of the actions whose states they recomputed.
extension ActionLog {
  /// Skips an action, or stops skipping it; nil toggles it. Without a reducer, this only moves the
  /// app to the nearest earlier action that is not skipped.
  ///
  /// A repeated request is refused: nothing would run again, so no row could say how it came out.
  package mutating func setSkipped(_ skipped: Bool?, _ id: UInt64) throws(RefusedCommand) -> Set<
    UInt64
  > {
    let index = try index(of: id)
    let skipped = skipped ?? !entries[index].isSkipped
    guard skipped != entries[index].isSkipped else {
      throw RefusedCommand("that row is \(skipped ? "already" : "not") skipped")
    }
    entries[index].isSkipped = skipped
    returnToVisited()
    if isExact { return recompute([id]) }
    place = entries[...index].last { !$0.isSkipped }.map { .entry($0.id) } ?? .committed
    return []
  }

  /// Marks an imported action as skipped. Its state already takes that into account.
  mutating func markSkipped(_ id: UInt64, _ skipped: Bool) {
    guard let index = entries.lastIndex(where: { $0.id == id }) else { return }
    entries[index].isSkipped = skipped
  }

  /// Moves an action before another, or to the end. Each action then builds on the one before it.
  package mutating func reorder(_ id: UInt64, before other: UInt64?) throws(RefusedCommand)
    -> Set<UInt64>
  {
    guard isExact else {
      throw RefusedCommand("this app cannot run actions again, so that all keep their order")
    }
    let from = try index(of: id)
    guard id != other else { throw RefusedCommand("a row cannot be moved before itself") }
    if let other { _ = try index(of: other) }
    returnToVisited()
    keepOrigins()
    let entry = entries.remove(at: from)
    let target = try other.map { other throws(RefusedCommand) in try index(of: other) }
    let to = target ?? entries.count
    entries.insert(entry, at: to)
    var changed = Set(entries[min(from, to)...].map(\.id))
    // In an order that never happened, a jump between two actions has no place.
    for index in entries.indices where !isInLine(index) {
      entries[index].base = index == 0 ? .committed : .entry(entries[index - 1].id)
      changed.insert(entries[index].id)
    }
    return recompute(changed)
  }

  /// Whether an action builds on the one before it.
  private func isInLine(_ index: Int) -> Bool {
    switch entries[index].base {
    case .committed: index == 0
    case .entry(let id): index > 0 && entries[index - 1].id == id
    case .outside: false
    }
  }

  /// Drops the skipped actions. Nothing runs again: a skipped action leads to the state that it was
  /// applied to. Without a reducer, the app may be in the state of a dropped action, and stays in
  /// it.
  package mutating func sweep() {
    if leavesOut { keepOrigins() }
    var bases: [UInt64: Base] = [:]
    for index in entries.indices {
      let base = resolved(entries[index].base, bases)
      entries[index].base = base
      if entries[index].isSkipped { bases[entries[index].id] = base }
    }
    let (before, state) = (place, state)
    place = resolved(place, bases)
    if !isExact, case .entry(let id) = before, bases[id] != nil { place = .outside(state) }
    entries.removeAll(where: \.isSkipped)
  }

  private func resolved(_ base: Base, _ bases: [UInt64: Base]) -> Base {
    if case .entry(let id) = base, let swept = bases[id] { swept } else { base }
  }

  /// Makes `state`, the app's own, the beginning of history.
  package mutating func commit(_ state: State) { restart(from: state) }

  /// Returns to the state of the last commit, or else of the start.
  package mutating func rollback() { restart(from: checkpoint, isInitial: !isCommitted) }

  package mutating func reset() { restart(from: initial, isInitial: true) }

  private func index(of id: UInt64) throws(RefusedCommand) -> Int {
    if let index = entries.firstIndex(where: { $0.id == id }) { return index }
    throw RefusedCommand(
      id < horizon
        ? "that row is too old: the app keeps its latest \(entries.count) actions to run them again"
        : "that row is not an action of the current history")
  }
}
