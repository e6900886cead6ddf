internal import SurfNetwork
internal import SurfWire

/// Where the app is by all that has left the queue, so that each action can say what it grew from
/// (Protocol.md §8.1). It counts moves as the broadcaster does, which hears the same (§11.7).
struct Lineage: Sendable {
  /// An effect of a reaction may answer late; few restores lead to anything at all.
  private static let restoreCountMax = 1_024

  private var position = Position.initial
  /// Where the records alone put the app.
  private var recorded = Position.initial
  private var moveCount: WireCount = 0
  private var restores: [(request: UInt64, move: WireCount)] = []

  /// Where an action grew from that is recorded now; nil if that needs no word.
  func grownFrom(of ancestry: Ancestry) -> GrownFrom? {
    switch ancestry {
    case .usual: grownFrom(from: position)
    case .beginning(let start): grownFrom(from: start)
    case .restore(let request):
      restores.last { $0.request == request }.map { GrownFrom(from: position, move: $0.move) }
        ?? grownFrom(from: position)
    }
  }

  private func grownFrom(from origin: Position) -> GrownFrom? {
    origin == recorded ? nil : GrownFrom(from: origin)
  }

  /// The record has left.
  mutating func note(_ record: Record) {
    guard record.movesApp else { return }
    recorded = .record(record.sequence)
    position = recorded
  }

  /// The app came to a state that no record carries.
  mutating func leaveRecords() {
    position = .elsewhere
    moveCount.add(1)
  }

  /// The app has answered.
  mutating func note(_ reset: IncomingReset, _ result: Outcome.Result) {
    guard !reset.isCommand else { return }
    moveCount.add(1)
    guard result == .applied else { return }
    position = reset.position
    if restores.count == Self.restoreCountMax { restores.removeFirst() }
    restores.append((reset.request, moveCount))
  }
}

/// What an app knows of an action's past besides the order of its records.
enum Ancestry: Sendable {
  case usual
  /// A viewer's request to be in a state led to it.
  case restore(request: UInt64)
  /// It is the first of a history from elsewhere, which begins in this state.
  case beginning(Position)
}
