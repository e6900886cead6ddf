import SurfTimeline
import SurfWire

/// The rows that hold a text, in their names or payloads, whatever the case of ASCII letters. It
/// looks at a slice of the rows at a time, the newest first, and at new rows as they come.
package struct RowSieve: Equatable, Sendable {
  package let text: String
  /// Ascending. Rows that have made room since the last slice may be among them.
  package private(set) var hits: [SequenceNumber] = []
  private let needle: [UInt8]
  /// What was not looked at.
  private var pending = SequenceRanges()

  /// Rows in a slice: a millisecond's work for names and small payloads.
  static let sliceCount = 1_000
  /// Octets of payloads in a slice.
  static let sliceSize = 1 << 20

  /// - Parameter text: without any, all rows pass.
  package init(_ text: String, in timeline: Timeline) {
    self.text = text
    needle = text.utf8.map(Self.folded)
    pending.insert(1...max(1, timeline.newestNumber))
  }

  /// Whether all rows were looked at.
  package var isDone: Bool { pending.runs.isEmpty }

  /// These rows are new, or others than before.
  package mutating func add(_ rows: ClosedRange<SequenceNumber>) { pending.insert(rows) }

  /// Looks at another slice, and forgets rows that have made room.
  package mutating func advance(in timeline: Timeline) {
    if let oldest = timeline.rows.first?.number, let first = hits.first, first < oldest {
      hits.removeFirst(hits.partitionPoint { $0 >= oldest })
    }
    guard let run = pending.runs.last else { return }
    let rows = timeline.rows
    var index = rows.partitionPoint { $0.number > run.upperBound }
    var found: [SequenceNumber] = []
    var (count, size) = (0, 0)
    while index > 0, rows[index - 1].number >= run.lowerBound, count < Self.sliceCount,
      size < Self.sliceSize
    {
      index -= 1
      count += 1
      let record = rows[index].record
      size += record.payload?.bytes.count ?? 0
      if passes(record) { found.append(record.sequence) }
    }
    let isWhole = index == 0 || rows[index - 1].number < run.lowerBound
    let lower = isWhole ? run.lowerBound : rows[index].number
    merge(found.reversed(), of: lower...run.upperBound)
    drop(lower...run.upperBound)
  }

  private mutating func drop(_ range: ClosedRange<SequenceNumber>) {
    var seen = SequenceRanges()
    seen.insert(range)
    let rest = pending.runs.flatMap { seen.complement(in: $0) }
    pending = SequenceRanges()
    for run in rest { pending.insert(run) }
  }

  private mutating func merge(
    _ found: [SequenceNumber], of range: ClosedRange<SequenceNumber>
  ) {
    let first = hits.partitionPoint { $0 >= range.lowerBound }
    let end = hits.partitionPoint { $0 > range.upperBound }
    hits.replaceSubrange(first..<end, with: found)
  }

  private func passes(_ record: Record) -> Bool {
    holds(Array(record.name.utf8)) || record.payload.map { holds($0.bytes) } ?? false
  }

  private func holds(_ bytes: [UInt8]) -> Bool {
    guard let first = needle.first else { return true }
    guard bytes.count >= needle.count else { return false }
    for start in 0...bytes.count - needle.count where Self.folded(bytes[start]) == first {
      if needle.indices.allSatisfy({ Self.folded(bytes[start + $0]) == needle[$0] }) { return true }
    }
    return false
  }

  private static func folded(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
