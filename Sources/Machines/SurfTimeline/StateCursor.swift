import SurfDelta
import SurfWire

/// Goes through the states of one timeline row by row: each is made of the one before, where that
/// is possible.
package struct StateCursor: Sendable {
  /// The state of the row that it came to last; empty before the first.
  package private(set) var bytes: [UInt8] = []
  private var place: StateArchive.Place?

  package init() {}

  /// How it came to a row.
  package enum Step: Sendable {
    /// Not at all: the row has no state, or no longer has it.
    case none
    /// Its state has the same bytes as the one before.
    case same
    /// These tell it from the one before.
    case edited([Delta.Edit])
    /// It may be any other.
    case other
  }

  /// Goes to a state that is in no row.
  package mutating func go(to bytes: [UInt8]) {
    (self.bytes, place) = (bytes, nil)
  }

  /// - Parameter row: of the same timeline each time.
  package mutating func step(to row: Row, in timeline: Timeline) -> Step {
    guard let place = row.place else { return .none }
    guard place != self.place else { return .same }
    let delta = timeline.archive.read(place, from: self.place, into: &bytes)
    self.place = place
    return delta?.edits.map(Step.edited) ?? .other
  }
}
