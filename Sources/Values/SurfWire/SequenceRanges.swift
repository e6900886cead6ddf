import SurfBasics

/// A set of sequence numbers, kept as ascending runs that neither touch nor overlap.
package struct SequenceRanges: Equatable, Sendable {
  package private(set) var runs: [ClosedRange<SequenceNumber>] = []
  private let runCountMax: Int

  /// Beyond `runCountMax` runs, the set forgets the lowest ones.
  package init(runCountMax: Int = 4_096) { self.runCountMax = runCountMax }

  package var count: WireCount { runs.lazy.map(\.length).sum }

  package func contains(_ sequence: SequenceNumber) -> Bool {
    let index = firstIndex(endingAt: sequence)
    return index < runs.count && runs[index].contains(sequence)
  }

  package mutating func insert(_ range: ClosedRange<SequenceNumber>) {
    // Start one before the range, to join a run that ends there.
    let first = firstIndex(endingAt: range.lowerBound.previous)
    var lower = range.lowerBound
    var upper = range.upperBound
    var end = first
    while end < runs.count, runs[end].lowerBound <= upper.next {
      lower = min(lower, runs[end].lowerBound)
      upper = max(upper, runs[end].upperBound)
      end += 1
    }
    runs.replaceSubrange(first..<end, with: [lower...upper])
    if runs.count > runCountMax { runs.removeFirst(runs.count - runCountMax) }
  }

  package mutating func remove(_ sequence: SequenceNumber) {
    let index = firstIndex(endingAt: sequence)
    guard index < runs.count, runs[index].contains(sequence) else { return }
    let run = runs[index]
    var parts: [ClosedRange<SequenceNumber>] = []
    if run.lowerBound < sequence { parts.append(run.lowerBound...sequence.previous) }
    if sequence < run.upperBound { parts.append(sequence.next...run.upperBound) }
    runs.replaceSubrange(index...index, with: parts)
  }

  /// Removes `first` and everything above it.
  package mutating func remove(from first: SequenceNumber) {
    runs.removeAll { $0.lowerBound >= first }
    guard let last = runs.last, last.upperBound >= first else { return }
    runs[runs.count - 1] = last.lowerBound...first.previous
  }

  /// The parts of `range` that are not in the set, ascending.
  package func complement(in range: ClosedRange<SequenceNumber>) -> [ClosedRange<SequenceNumber>] {
    var parts: [ClosedRange<SequenceNumber>] = []
    var next = range.lowerBound
    for run in runs[firstIndex(endingAt: range.lowerBound)...] {
      guard run.lowerBound <= range.upperBound else { break }
      if next < run.lowerBound { parts.append(next...run.lowerBound.previous) }
      guard run.upperBound < range.upperBound else { return parts }
      next = run.upperBound.next
    }
    parts.append(next...range.upperBound)
    return parts
  }

  /// The parts of `range` that are in the set, ascending.
  package func intersection(_ range: ClosedRange<SequenceNumber>) -> [ClosedRange<SequenceNumber>] {
    runs[firstIndex(endingAt: range.lowerBound)...]
      .prefix { $0.lowerBound <= range.upperBound }
      .map { $0.clamped(to: range) }
  }

  /// The index of the first run that ends at or after `sequence`.
  private func firstIndex(endingAt sequence: SequenceNumber) -> Int {
    runs.partitionPoint { $0.upperBound >= sequence }
  }
}
