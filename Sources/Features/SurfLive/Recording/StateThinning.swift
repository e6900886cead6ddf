internal import SurfWire

/// Leaves out states of actions while nobody watches, as the app wants it (Protocol.md §12).
struct StateThinning {
  private let choice: Transceiver.Configuration.WhenUnwatched
  /// States left out since somebody watched.
  private var leftOutCount = 0
  /// States left out behind one another.
  private var runLength = 0
  /// The newest state and its moment, if it was left out.
  private var newest = Piece.none
  private var moment = Moment()
  /// Of the newest record.
  private(set) var lastTicket: UInt64 = 0

  init(_ choice: Transceiver.Configuration.WhenUnwatched) { self.choice = choice }

  /// Takes the state out of a record that nobody watches; nil if it has none that is not needed.
  mutating func thin(_ entry: inout Entry) -> Piece? {
    guard entry.kind == .action, entry.state.isHeld else {
      if entry.kind.movesApp, entry.state.isHeld { newest = .none }
      return nil
    }
    moment = entry.moment
    guard isLeftOut else {
      (runLength, newest) = (0, .none)
      return nil
    }
    leftOutCount += 1
    runLength += 1
    newest = entry.state
    entry.state = .givenUp
    return newest
  }

  private var isLeftOut: Bool {
    switch choice {
    case .everything: false
    case .newestState: true
    case .everyNth(let count): runLength + 1 < count
    }
  }

  /// The record with this ticket has been written.
  mutating func note(_ ticket: UInt64) { lastTicket = ticket }

  /// What tells of all that was left out, if anything was, and brings the newest state.
  mutating func takeMark() -> Entry? {
    guard leftOutCount > 0 else { return nil }
    let states = leftOutCount == 1 ? "1 state" : "\(leftOutCount) states"
    var mark = Entry(.mark, "\(states) left out while nobody watched", source: .none)
    mark.moment = moment
    mark.state = newest
    (leftOutCount, runLength, newest) = (0, 0, .none)
    return mark
  }
}
