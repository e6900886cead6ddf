import SurfBasics

/// Finds the moves that put a list into another order: as few as possible, each one step of a
/// patch (RFC 6902 §4.4).
struct ListMoves {
  struct Step: Equatable {
    /// The place among the elements before any move.
    let old: Int
    /// The index before the step.
    let from: Int
    /// The index after it.
    let to: Int
  }

  private(set) var steps: [Step] = []

  /// - Parameter order: for each element its place after all moves: the numbers from 0 on.
  init(_ order: [Int]) {
    let staying = Self.longestRise(order)
    guard staying.count < order.count else { return }
    var isStaying = Array(repeating: false, count: order.count)
    for old in staying { isStaying[old] = true }
    var oldPlaces = Array(repeating: 0, count: order.count)
    for (old, new) in order.enumerated() { oldPlaces[new] = old }
    // Between two elements that stay, the moved ones come first, then those still to move.
    var waiting = PrefixCounts(isStaying.map { !$0 })
    // For each moved element, how many that stay precede it now: ascending.
    var moved: [Int] = []
    var passed = 0
    for old in oldPlaces {
      guard !isStaying[old] else {
        passed += 1
        continue
      }
      let before = staying.partitionPoint { $0 > old }
      let from = before + moved.partitionPoint { $0 > before } + waiting.count(before: old)
      waiting.remove(old)
      let behind = passed > 0 ? waiting.count(before: staying[passed - 1]) : 0
      steps.append(Step(old: old, from: from, to: passed + moved.count + behind))
      moved.append(passed)
    }
  }

  /// The places of the longest part of a list that ascends already.
  private static func longestRise(_ order: [Int]) -> [Int] {
    // For each length, where the part of that length with the lowest end ends.
    var ends: [Int] = []
    var before = Array(repeating: -1, count: order.count)
    for (place, value) in order.enumerated() {
      let length = ends.partitionPoint { order[$0] >= value }
      before[place] = length > 0 ? ends[length - 1] : -1
      if length == ends.count { ends.append(place) } else { ends[length] = place }
    }
    var rise: [Int] = []
    var place = ends.last ?? -1
    while place >= 0 {
      rise.append(place)
      place = before[place]
    }
    return rise.reversed()
  }
}

/// Counts which of many places are taken, before any of them (a Fenwick tree).
private struct PrefixCounts {
  private var counts: [Int]

  init(_ isTaken: [Bool]) {
    counts = [0] + isTaken.map { $0 ? 1 : 0 }
    for index in counts.indices.dropFirst() {
      let parent = index + (index & -index)
      if parent < counts.count { counts[parent] += counts[index] }
    }
  }

  mutating func remove(_ place: Int) {
    var index = place + 1
    while index < counts.count {
      counts[index] -= 1
      index += index & -index
    }
  }

  func count(before place: Int) -> Int {
    var (index, count) = (place, 0)
    while index > 0 {
      count += counts[index]
      index -= index & -index
    }
    return count
  }
}
