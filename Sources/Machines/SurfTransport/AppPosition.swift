import SurfWire

/// Where an app is, by its own actions and viewers' requests (Protocol.md §11.7).
package struct AppPosition: Equatable, Sendable {
  package private(set) var position = Position.initial
  package private(set) var stamp = PositionStamp()

  package init() {}

  /// The app has made these records; they may not have left yet.
  package mutating func note(_ records: [Record]) {
    guard let newest = records.last else { return }
    stamp.newestRecord = newest.sequence
    if let record = records.last(where: \.movesApp) { position = .record(record.sequence) }
  }

  /// The app came to a state that no record carries.
  package mutating func leaveRecords() { move(to: .elsewhere) }

  /// The app has decided about a request to be in a state.
  package mutating func decide(_ reset: IncomingReset, _ result: Outcome.Result) {
    move(to: result == .applied ? reset.position : position)
  }

  private mutating func move(to position: Position) {
    self.position = position
    stamp.moveCount.add(1)
  }
}
