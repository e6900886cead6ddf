/// The fields behind an action's state, which may be missing (Protocol.md §8.1): where it grew
/// from, and how many equal actions it stands for.
struct RecordTail {
  /// Octets of the longest one: three numbers.
  static let sizeMax = 30

  var grownFrom: GrownFrom?
  var count: WireCount = 1

  func encoded(in record: SequenceNumber) -> [UInt8] {
    guard grownFrom != nil || count > 1 else { return [] }
    var writer = ByteWriter(capacity: Self.sizeMax)
    writer.number(grownFrom?.distance(to: record) ?? GrownFrom.expected(in: record))
    let move = grownFrom?.move ?? 0
    if !move.isZero || count > 1 { writer.number(move.rawValue) }
    if count > 1 { writer.number(count.rawValue) }
    return writer.finish()
  }

  /// What cannot be read is missing, and all behind it: Protocol.md §8.1 knows no faults here.
  init(behind record: SequenceNumber, from reader: inout ByteReader) {
    var origin: Position?
    do throws(WireError) {
      origin = Position(WireCount(try reader.number("grown from")), before: record)
      grownFrom = origin.map { GrownFrom(from: $0) }
      let move = WireCount(try reader.number("move"))
      grownFrom = origin.map { GrownFrom(from: $0, move: move) }
      count = max(1, WireCount(try reader.number("count")))
    } catch {
      // Cut, or no number.
    }
  }

  init(grownFrom: GrownFrom?, count: WireCount) {
    self.grownFrom = grownFrom
    self.count = count
  }
}

extension GrownFrom {
  /// Stands where nothing is to be said, and a count follows: it leads before the initial state.
  fileprivate static func expected(in record: SequenceNumber) -> UInt64 { record.next.rawValue }

  fileprivate func distance(to record: SequenceNumber) -> UInt64 {
    switch origin {
    case .initial: record.rawValue
    case .record(let origin): origin.distance(to: record).rawValue
    case .elsewhere: 0
    }
  }
}

extension Position {
  /// Nil if that is before the initial state.
  fileprivate init?(_ distance: WireCount, before record: SequenceNumber) {
    let start = SequenceNumber(0).distance(to: record)
    guard distance <= start else { return nil }
    switch distance {
    case 0: self = .elsewhere
    case start: self = .initial
    default: self = .record(record.goingBack(by: distance))
    }
  }
}

/// The state in which an app took an action, if that is not the last one before it that a record
/// carries, or if a restore led to the action (Protocol.md §8.1).
package struct GrownFrom: Hashable, Sendable {
  /// Whose state the app was in; a record before the action's own.
  package let origin: Position
  /// Of the restore that led to the action, its number among the app's moves (§11.7); 0: of none.
  package let move: WireCount

  package init(from origin: Position, move: WireCount = 0) {
    self.origin = origin
    self.move = move
  }
}
