/// The ids of one app that live, each with its last value, for front ends that come later.
///
/// Values may come in any order: the newest first, then the past. The value that came last counts.
package struct LiveValues<Value: Sendable>: Sendable {
  /// A value, and when it came.
  private struct Kept: Sendable {
    let value: Value
    let size: Int
    let sequence: UInt64
  }

  private var values: [String: Kept] = [:]
  /// Removals, which older values must not undo.
  private var removals: [String: UInt64] = [:]
  /// Octets of ids and values.
  package private(set) var size = 0

  package init() {}

  package var count: Int { values.count }
  package var isEmpty: Bool { values.isEmpty }

  /// The value of an id, if that lives and its value is kept.
  package subscript(id: String) -> Value? { values[id]?.value }

  /// All of them, in the order in which they came.
  package var inOrder: [(id: String, value: Value)] {
    values.sorted { $0.value.sequence < $1.value.sequence }.map { ($0.key, $0.value.value) }
  }

  /// All of them, by their ids.
  package var byID: [(id: String, value: Value)] {
    values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.value) }
  }

  /// Takes a value, unless a newer one or a newer removal is known. Forgets the oldest if there are
  /// too many.
  ///
  /// - Parameters:
  ///   - size: the value's octets.
  ///   - sequence: greater for what came later.
  /// - Returns: whether it is the newest of its id.
  @discardableResult
  package mutating func set(_ id: String, to value: Value, size: Int, sequence: UInt64) -> Bool {
    guard values[id].map({ $0.sequence <= sequence }) ?? true, !isRemoved(id, since: sequence)
    else {
      return false
    }
    forget(id)
    guard id.utf8.count + size <= InspectorLimits.valueSizeMax else { return true }
    values[id] = Kept(value: value, size: size, sequence: sequence)
    self.size += id.utf8.count + size
    makeRoom()
    return true
  }

  /// Removes an id, and those below it, which begin with the id and a slash.
  ///
  /// - Returns: those that lived.
  package mutating func remove(_ id: String, sequence: UInt64) -> [String] {
    removals[id] = max(removals[id] ?? 0, sequence)
    if removals.count > InspectorLimits.valueCountMax, let oldest = oldest(of: removals) {
      removals[oldest] = nil
    }
    let removed = values.keys.filter {
      (values[$0]?.sequence ?? 0) < sequence && Self.covers(id, $0)
    }
    for id in removed { forget(id) }
    return removed.sorted()
  }

  private func isRemoved(_ id: String, since sequence: UInt64) -> Bool {
    removals.contains { $0.value > sequence && Self.covers($0.key, id) }
  }

  private static func covers(_ removed: String, _ id: String) -> Bool {
    id == removed || id.hasPrefix("\(removed)/")
  }

  private mutating func forget(_ id: String) {
    guard let kept = values.removeValue(forKey: id) else { return }
    size -= id.utf8.count + kept.size
  }

  private mutating func makeRoom() {
    while values.count > InspectorLimits.valueCountMax || size > InspectorLimits.valueSizeMax,
      let oldest = oldest(of: values.mapValues(\.sequence))
    {
      forget(oldest)
    }
  }

  private func oldest(of sequences: [String: UInt64]) -> String? {
    sequences.min { $0.value < $1.value }?.key
  }
}
