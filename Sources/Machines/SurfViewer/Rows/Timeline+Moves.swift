import SurfTimeline
import SurfWire

extension Timeline {
  /// Whether the app came by its own actions alone to where it is.
  ///
  /// - Parameters:
  ///   - start: where it was.
  ///   - newest: the newest row then.
  package func cameByItself(from start: Position, behind newest: SequenceNumber) -> Bool {
    let index = firstIndex(from: newest.next)
    var above = rows[..<index].last(where: \.isState).map { Position.record($0.number) }
    var here = start
    for row in rows[index...] where row.isState {
      // Without a word of it, a row grew from the one above.
      if let origin = row.record.growth?.origin ?? above, origin != here { return false }
      here = .record(row.number)
      above = here
    }
    return here == position
  }
}
