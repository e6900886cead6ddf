/// The state in which an app took an action, if that is not the last one before it that a record
/// carries, or if a restore led to the action (Protocol.md §8.1).
package struct Growth: Hashable, Sendable {
  /// Whose state the app was in; a record before the action's own.
  package let origin: Position
  /// Of the restore that led to the action, its number among the app's moves (§11.7); 0: of none.
  package let move: WireCount

  package init(from origin: Position, move: WireCount = 0) {
    self.origin = origin
    self.move = move
  }
}

extension Growth {
  /// Octets of the longest one: two numbers.
  static let sizeMax = 20

  /// The fields behind the state of a record.
  func encoded(in record: SequenceNumber) -> [UInt8] {
    var writer = ByteWriter(capacity: Self.sizeMax)
    writer.number(distance(to: record).rawValue)
    if !move.isZero { writer.number(move.rawValue) }
    return writer.finish()
  }

  private func distance(to record: SequenceNumber) -> WireCount {
    switch origin {
    case .initial: WireCount(record.rawValue)
    case .record(let origin): origin.distance(to: record)
    case .elsewhere: 0
    }
  }

  /// Nil if there is none: Protocol.md §8.1 knows no faults here.
  init?(behind record: SequenceNumber, from reader: inout ByteReader) {
    do throws(WireError) {
      let distance = WireCount(try reader.number("grown from"))
      guard let origin = Position(distance, before: record) else { return nil }
      self.origin = origin
    } catch {
      return nil
    }
    do throws(WireError) {
      move = WireCount(try reader.number("move"))
    } catch {
      move = 0
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
