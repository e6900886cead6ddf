import SurfTimeline
import SurfWire

extension Timeline {
  /// The size of the state before this row: of the nearest row before it, if nothing between is
  /// missing.
  package func stateSize(before number: SequenceNumber) -> Int? {
    guard case .row(let before) = target(before: number) else { return nil }
    return row(before)?.stateSize
  }
}
