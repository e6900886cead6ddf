import SurfWire

/// Where an app is, by what it does and is asked to do (Protocol.md §11.7).
package struct AppPosition: Equatable, Sendable {
  package private(set) var position = Position.initial
  package private(set) var stamp = PositionStamp()

  package init() {}

  /// These were made; they may not have left yet.
  package mutating func note(_ records: [OutgoingRecord]) {
    guard let newest = records.last else { return }
    stamp.newestRecord = newest.sequence
    if let record = records.last(where: \.movesApp) { position = .record(record.sequence) }
  }

  /// It came to a state that no record carries.
  package mutating func leaveRecords() { move(to: .elsewhere) }

  /// It was asked to be in a state, and has decided.
  package mutating func decide(_ reset: IncomingReset, _ result: Outcome.Result) {
    move(to: result == .applied ? reset.position : position)
  }

  private mutating func move(to position: Position) {
    self.position = position
    stamp.moveCount.add(1)
  }
}
