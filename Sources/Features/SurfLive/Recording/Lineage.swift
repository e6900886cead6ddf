internal import SurfNetwork
internal import SurfWire

/// The app's position after all records that have left the queue, so that `RecordWriter` can say
/// what each action grew from (Protocol.md §8.1). It counts moves as the broadcaster does, which
/// sees the same ones (§11.7).
struct Lineage: Sendable {
  /// An effect that a restore led to may answer late; few restores lead to anything at all.
  private static let restoreCountMax = 1_024

  private var position = Position.initial
  /// The app's position according to the records alone.
  private var recorded = Position.initial
  private var moveCount: WireCount = 0
  private var restores: [(request: UInt64, move: WireCount)] = []

  /// What an action recorded now grew from; nil if that is the record before it.
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

  /// Notes a record that has left.
  mutating func note(_ record: Record) {
    guard record.movesApp else { return }
    recorded = .record(record.sequence)
    position = recorded
  }

  /// Notes that the app is in a state that no record contains.
  mutating func leaveRecords() {
    position = .elsewhere
    moveCount.add(1)
  }

  /// Notes the app's answer to a request.
  mutating func note(_ reset: IncomingReset, _ result: Outcome.Result) {
    guard !reset.isCommand else { return }
    moveCount.add(1)
    guard result == .applied else { return }
    position = reset.position
    if restores.count == Self.restoreCountMax { restores.removeFirst() }
    restores.append((reset.request, moveCount))
  }
}

/// What an app knows about the origin of an action besides the order of its records.
enum Ancestry: Sendable {
  case usual
  /// A viewer's restore led to the action.
  case restore(request: UInt64)
  /// The action is the first of an imported history, which begins at this position.
  case beginning(Position)
}
