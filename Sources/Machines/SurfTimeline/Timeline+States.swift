import JSONTree
import SurfControl
import SurfWire

extension Timeline {
  /// The state after a row, byte for byte as recorded; nil if the row has none or it was dropped.
  ///
  /// The newest state is in memory. The archive rebuilds any other from deltas, within
  /// `StateChain`'s limits.
  package func state(of number: SequenceNumber) -> Content? {
    guard let place = row(number)?.place else { return nil }
    return archive.content(at: place)
  }

  /// The record of a row together with its state, if the archive has it.
  package func record(_ number: SequenceNumber) -> Record? {
    guard let row = row(number) else { return nil }
    var record = row.record
    if let place = row.place { record.state = .keyframe(archive.content(at: place)) }
    return record
  }

  /// Whether the archive has a row's state; does not rebuild it.
  package func hasState(of number: SequenceNumber) -> Bool { row(number)?.place != nil }

  /// States and payloads that arrived as deltas and could not be rebuilt.
  package var unmadeCount: Int { archive.failureCount }

  /// States compared with the one before, which happens only for apps that send no deltas.
  package var comparisonCount: Int { archive.comparisonCount }

  /// `byteCount`, recounted from all contents.
  package var recountedByteCount: Int {
    rows.reduce(archive.recountedByteCount) { $0 + $1.contentSize + $1.textSize }
  }
}

// The state that the app started in. Row 0 has no record: an app that takes commands reports it in
// a revision, to a viewer that asks (Protocol.md §11.6).
extension Timeline {
  /// Nil if the app has not reported it, or if the payload that did was dropped. Parses the payload
  /// on each call.
  package var initialState: Content? {
    row(initialStateRow)?.record.revision?.initial.map {
      Content(type: "application/json", bytes: $0.bytes())
    }
  }

  /// Whether the report of the initial state is among these rows.
  package func reportsInitialState(in rows: ClosedRange<SequenceNumber>) -> Bool {
    rows.contains(initialStateRow)
  }

  mutating func noteInitialState(_ record: Record) {
    guard record.kind == .revision, record.sequence > initialStateRow,
      record.payload?.bytes.contains(Array(#""initial":"#.utf8)) == true,
      record.revision?.initial != nil
    else { return }
    initialStateRow = record.sequence
  }
}

/// Reads the states of one timeline row by row, building each from the one before where possible.
/// `RowWalk` searches with it.
package struct StateCursor: Sendable {
  /// The state that was read last; empty before the first.
  package private(set) var bytes: [UInt8] = []
  private var place: StateArchive.Place?

  package init() {}

  /// How a row's state follows from the one read before it.
  package enum Step: Sendable {
    /// The row has no state, or it was dropped; the cursor stays.
    case none
    /// Both have the same bytes.
    case same
    /// These edits lead to it.
    case edited([Delta.Edit])
    /// The difference is unknown.
    case other
  }

  /// Goes to a state that no row carries.
  package mutating func go(to bytes: [UInt8]) {
    (self.bytes, place) = (bytes, nil)
  }

  /// - Parameter row: of the same timeline in each call.
  package mutating func step(to row: Row, in timeline: Timeline) -> Step {
    guard let place = row.place else { return .none }
    guard place != self.place else { return .same }
    let delta = timeline.archive.read(place, from: self.place, into: &bytes)
    self.place = place
    return delta?.edits.map(Step.edited) ?? .other
  }
}
