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
    var here = start
    for row in rows[index...] where row.isState {
      if let origin = parent(of: row), origin != here { return false }
      here = .record(row.number)
    }
    return here == position
  }

  /// By how many octets the state of a row differs in size from the one that it grew from, as
  /// `+12 B`; `?` if that is not known.
  package func changeText(of row: Row, with size: Int) -> String {
    let before = parent(of: row).flatMap(stateSize(at:))
    return before.map { SurfViewer.changeText(size - $0) } ?? "?"
  }
}
