import SurfTimeline
import SurfWire

/// A place in the list of a timeline. It is a number and not an index: rows that come late or make
/// room move no cursor.
package struct ListPlace: Hashable, Comparable, Sendable {
  /// Of the row, of the first row of a gap, or of the row that a marker stands behind.
  package let number: SequenceNumber
  /// Nil for a row or a gap.
  package let marker: Mark?

  package init(_ number: SequenceNumber) {
    self.number = number
    marker = nil
  }

  init(_ marker: Marker) {
    number = marker.afterRow
    self.marker = Mark(
      moveCount: marker.stamp.moveCount, viewer: marker.viewer, request: marker.request)
  }

  /// Row 0.
  package static let initial = ListPlace(0)

  /// The identity of a marker, and its order among those behind the same row.
  package struct Mark: Hashable, Comparable, Sendable {
    let moveCount: WireCount
    let viewer: ViewerID
    let request: UInt64

    package static func < (left: Mark, right: Mark) -> Bool {
      (left.moveCount, left.viewer.rawValue, left.request)
        < (right.moveCount, right.viewer.rawValue, right.request)
    }
  }

  package static func < (left: ListPlace, right: ListPlace) -> Bool {
    guard left.number == right.number else { return left.number < right.number }
    guard let before = left.marker else { return right.marker != nil }
    guard let after = right.marker else { return false }
    return before < after
  }
}
