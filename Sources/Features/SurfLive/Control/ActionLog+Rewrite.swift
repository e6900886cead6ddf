package import SurfControl

// Each gives the ids of the actions whose state was computed anew.
extension ActionLog {
  /// Leaves an action out, or takes it in again.
  package mutating func setSkipped(_ skipped: Bool?, _ id: UInt64) throws(RefusedCommand) -> Set<
    UInt64
  > {
    let index = try index(of: id)
    let skipped = skipped ?? !entries[index].isSkipped
    // Said again, it is done already.
    guard skipped != entries[index].isSkipped else { return [] }
    entries[index].isSkipped = skipped
    return recompute([id])
  }

  /// Notes that an action was left out where its states were computed.
  mutating func markSkipped(_ id: UInt64, _ skipped: Bool) {
    guard let index = entries.lastIndex(where: { $0.id == id }) else { return }
    entries[index].isSkipped = skipped
  }

  /// Puts an action before another, or last; all then build on the one before them, in this order.
  package mutating func reorder(_ id: UInt64, before other: UInt64?) throws(RefusedCommand)
    -> Set<UInt64>
  {
    let from = try index(of: id)
    guard id != other else { return [] }
    if let other { _ = try index(of: other) }
    let entry = entries.remove(at: from)
    let target = try other.map { other throws(RefusedCommand) in try index(of: other) }
    let to = target ?? entries.count
    entries.insert(entry, at: to)
    // A jump in between has no place in an order that never was.
    for index in entries.indices {
      entries[index].base = index == 0 ? .committed : .entry(entries[index - 1].id)
    }
    return recompute(Set(entries[min(from, to)...].map(\.id)))
  }

  /// Forgets what is left out. A skipped action leads to the state that it was applied to, so that
  /// nothing needs to be run again.
  package mutating func sweep() {
    var bases: [UInt64: Base] = [:]
    for index in entries.indices {
      let base = resolved(entries[index].base, bases)
      entries[index].base = base
      if entries[index].isSkipped { bases[entries[index].id] = base }
    }
    place = resolved(place, bases)
    entries.removeAll(where: \.isSkipped)
  }

  private func resolved(_ base: Base, _ bases: [UInt64: Base]) -> Base {
    if case .entry(let id) = base, let swept = bases[id] { swept } else { base }
  }

  /// Lets history begin with `state`, the app's own.
  package mutating func commit(_ state: State) { restart(from: state) }

  /// Returns to the state of the last commit, or to that at the start.
  package mutating func rollback() { restart(from: checkpoint, isInitial: !isCommitted) }

  /// Returns to the state at the start of the app.
  package mutating func reset() { restart(from: initial, isInitial: true) }

  private func index(of id: UInt64) throws(RefusedCommand) -> Int {
    if let index = entries.firstIndex(where: { $0.id == id }) { return index }
    throw RefusedCommand(
      id < horizon
        ? "that row is too old: the app keeps its latest \(entries.count) actions to run them again"
        : "that row is no action of the history in force")
  }
}
