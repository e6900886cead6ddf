import JSONTree
import SurfControl
import SurfDelta
import SurfWire

extension Timeline {
  /// The state after a row, byte for byte as it was recorded; nil if it has none, or no longer has
  /// it.
  ///
  /// The newest one is at hand; any other is made of deltas, within the bounds of
  /// `StateArchive`.
  package func state(of number: SequenceNumber) -> Content? {
    guard let place = row(number)?.place else { return nil }
    return archive.content(at: place)
  }

  /// The record of a row with its state, if they are here.
  package func record(_ number: SequenceNumber) -> Record? {
    guard let row = row(number) else { return nil }
    var record = row.record
    if let place = row.place { record.state = .keyframe(archive.content(at: place)) }
    return record
  }

  /// Whether the state after a row is here. To tell it, none is made.
  package func hasState(of number: SequenceNumber) -> Bool { row(number)?.place != nil }

  /// The cost of making the state of a row: deltas to apply, and bytes to write for them.
  package func stateCost(of number: SequenceNumber) -> (deltaCount: Int, byteCount: Int)? {
    guard let place = row(number)?.place else { return nil }
    return archive.cost(of: place)
  }

  /// States and payloads that came as deltas and could not be made.
  package var unmadeCount: Int { archive.failureCount }

  /// States that were compared with the one before: those of apps that send no deltas.
  package var comparisonCount: Int { archive.comparisonCount }

  /// `byteCount`, counted anew from all contents.
  package var recountedByteCount: Int {
    rows.reduce(archive.recountedByteCount) { $0 + $1.contentSize + $1.textSize }
  }
}

// The state that the app started in. No row carries it: an app that takes commands tells it in a
// revision, to a viewer that asks (Protocol.md §11.6).
extension Timeline {
  /// Nil if the app has not told it, or if that row's payload had to make room. Parses the payload.
  package var initialState: Content? {
    row(initialTeller).flatMap { Self.initialState(told: $0.record) }
  }

  /// Whether one of these rows tells it.
  package func tellsInitialState(in rows: ClosedRange<SequenceNumber>) -> Bool {
    rows.contains(initialTeller)
  }

  mutating func noteInitialState(_ record: Record) {
    guard record.kind == .revision, record.sequence > initialTeller,
      record.payload?.bytes.contains(Array(#""initial":"#.utf8)) == true,
      Self.initialState(told: record) != nil
    else { return }
    initialTeller = record.sequence
  }

  private static func initialState(told record: Record) -> Content? {
    do throws(ControlError) {
      let initial = try Revision(parsing: record.payload?.bytes ?? []).initial
      return initial.map { Content(type: "application/json", bytes: $0.bytes()) }
    } catch {
      return nil
    }
  }
}

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
