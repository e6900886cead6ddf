import JSONTree
import SurfViewer
import SurfWire

/// A wish to see what is in a row. It is another one once more of the row is here.
package struct InspectionRequest: Hashable, Sendable {
  package let session: SessionID
  package let row: SequenceNumber
  /// Whose state to compare with.
  package let baseSession: SessionID
  /// Where the app was in the state to compare with; nil if that is not known.
  package let base: Position?
  let hasState: Bool
  let hasBase: Bool
  let hasPayload: Bool
}

/// What is in a row: decoded and compared. Making one may take long; it needs no lock.
package struct Inspection: Sendable {
  let request: InspectionRequest
  let state: JSON?
  let payload: JSON?
  let changes: ChangeList?

  /// - Parameters:
  ///   - state: of the row, as it was recorded; nil if there is none.
  ///   - base: the state to compare with.
  package init(
    _ request: InspectionRequest, state: Content?, base: Content?, payload: Content?
  ) {
    self.request = request
    self.state = state.map(\.tree)
    self.payload = payload.map(\.tree)
    let old = base.map(\.tree)
    changes =
      if let old, let new = self.state { ChangeList(from: old, to: new) } else { nil }
  }
}
