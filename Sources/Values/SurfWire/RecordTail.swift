/// The optional fields after a record's state (Protocol.md §8.1): the state that it grew from, and
/// how many equal actions it combines.
struct RecordTail {
  /// Octets of the longest tail: three numbers.
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

  /// A field that cannot be read counts as missing, with all after it: a tail is never invalid
  /// (Protocol.md §8.1).
  init(behind record: SequenceNumber, from reader: inout ByteReader) {
    var origin: Position?
    do throws(WireError) {
      origin = Position(WireCount(try reader.number("grown from")), before: record)
      grownFrom = origin.map { GrownFrom(from: $0) }
      let move = WireCount(try reader.number("move"))
      grownFrom = origin.map { GrownFrom(from: $0, move: move) }
      count = max(1, WireCount(try reader.number("count")))
    } catch {
      // Cut short, or not a number.
    }
  }

  init(grownFrom: GrownFrom?, count: WireCount) {
    self.grownFrom = grownFrom
    self.count = count
  }
}

extension GrownFrom {
  /// Written in place of a missing *grown from* if a count follows. Readers ignore it, because it
  /// leads before the initial state.
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
  /// Nil if the distance leads before the initial state.
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

/// The state that the app took a step from, if it is not that of the last record before, or if a
/// restore led to the action (Protocol.md §8.1).
package struct GrownFrom: Equatable, Sendable {
  /// The state that the app was in, carried by an earlier record.
  package let origin: Position
  /// The restore that led to the action, by its number among the app's moves (§11.7); 0 for none.
  package let move: WireCount

  package init(from origin: Position, move: WireCount = 0) {
    self.origin = origin
    self.move = move
  }
}
