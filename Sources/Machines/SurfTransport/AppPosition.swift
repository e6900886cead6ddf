import SurfWire

/// Where an app is, after its own actions and viewers' requests (Protocol.md §11.7).
/// `BroadcastMachine` reports it in heartbeats and answers.
package struct AppPosition: Equatable, Sendable {
  package private(set) var position = Position.initial
  package private(set) var stamp = PositionStamp()

  package init() {}

  /// The app has made these records. They may not have been sent yet.
  package mutating func note(_ records: [Record]) {
    guard let newest = records.last else { return }
    stamp.newestRecord = newest.sequence
    if let record = records.last(where: \.movesApp) { position = .record(record.sequence) }
  }

  /// The app has entered a state that no record carries.
  package mutating func leaveRecords() { move(to: .elsewhere) }

  /// The app has decided about a reset.
  package mutating func decide(_ reset: IncomingReset, _ result: Outcome.Result) {
    move(to: result == .applied ? reset.position : position)
  }

  private mutating func move(to position: Position) {
    self.position = position
    stamp.moveCount.add(1)
  }
}
