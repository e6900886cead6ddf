/// The latest actions of an app and the states after them, as JSON.
///
/// Places are counted from the last beginning of history and never change: 0 is the state it began
/// with, 1 the first action. What is evicted keeps its number, and its state is gone.
struct History {
  struct Step: Equatable, Sendable {
    var action: String
    var state: String
    /// Milliseconds since 1970.
    var time: Int64
  }

  /// The place of `base`: how many actions were evicted.
  private(set) var baseIndex = 0
  /// The state that the oldest action was applied to.
  private(set) var base: String
  /// What a rollback returns to; nil for the state at the app's start.
  private(set) var committed: String?
  private(set) var skipped: Set<Int> = []
  private var steps: [Step] = []
  /// Evicted steps at the front of `steps`, taken out a batch at a time.
  private var start = 0
  private var byteCount = 0
  private let countMax: Int
  private let byteCountMax: Int

  init(initial: String, countMax: Int, byteCountMax: Int) {
    base = initial
    self.countMax = max(1, countMax)
    self.byteCountMax = byteCountMax
  }

  /// The place of the latest state.
  var tip: Int { baseIndex + steps.count - start }

  var kept: ArraySlice<Step> { steps[start...] }

  /// The state at a place; nil if it was evicted, or never was.
  func state(at index: Int) -> String? {
    if index == baseIndex { return base }
    guard index > baseIndex, index <= tip else { return nil }
    return steps[start + index - baseIndex - 1].state
  }

  /// Adds a step, and evicts the oldest while there are too many, or too many bytes; the newest
  /// stays, however large it is.
  mutating func append(_ step: Step) {
    steps.append(step)
    byteCount += step.byteCount
    while steps.count - start > countMax || (byteCount > byteCountMax && steps.count - start > 1) {
      evict()
    }
  }

  private mutating func evict() {
    base = steps[start].state
    byteCount -= steps[start].byteCount
    steps[start] = Step(action: "", state: "", time: 0)
    start += 1
    baseIndex += 1
    skipped.remove(baseIndex)
    if start >= 64, start * 2 >= steps.count {
      steps.removeSubrange(..<start)
      start = 0
    }
  }

  /// Switches the action at `index` off or on, and gives the nearest place that counts: before it,
  /// or itself. Nil if there is no such action.
  mutating func toggle(_ index: Int) -> Int? {
    guard index > baseIndex, index <= tip else { return nil }
    if skipped.remove(index) == nil { skipped.insert(index) }
    var place = index
    while place > baseIndex, skipped.contains(place) { place -= 1 }
    return place
  }

  /// Forgets the actions that are switched off; those after them move up.
  ///
  /// - Parameter place: Where the app is; nil while it is live.
  /// - Returns: where that is now: the place of a forgotten action is that of the one before it.
  mutating func sweep(place: Int?) -> Int?? {
    guard !skipped.isEmpty else { return nil }
    let moved = place.map { place in place - skipped.count { $0 <= place } }
    let numbered = zip(kept, (baseIndex + 1)...)
    steps = numbered.filter { !skipped.contains($0.1) }.map { $0.0 }
    start = 0
    byteCount = steps.reduce(0) { $0 + $1.byteCount }
    skipped = []
    return .some(moved)
  }

  /// Begins anew with `state`, without steps. `committed`: it is what rollbacks return to.
  mutating func restart(from state: String, committed: String?) {
    self = History(initial: state, countMax: countMax, byteCountMax: byteCountMax)
    self.committed = committed
  }

  /// Takes over a whole history; what is too much of it is evicted.
  mutating func replace(by lifted: ImportedLiftedState, time: Int64) {
    guard let first = lifted.states.first else { return }
    restart(from: first, committed: first)
    skipped = lifted.skippedActionIds
    for (action, state) in zip(lifted.actions, lifted.states).dropFirst() {
      append(Step(action: action, state: state, time: time))
    }
  }
}

extension History.Step {
  var byteCount: Int { action.utf8.count + state.utf8.count }
}
