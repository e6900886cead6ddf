internal import SurfWire

/// Leaves out actions' states while no viewer follows, if the app asks for it (Protocol.md §12).
struct StateThinning {
  private let choice: Transceiver.Configuration.Thinning.WhenUnwatched
  /// States left out since a viewer last followed.
  private var leftOutCount = 0
  /// Consecutive states left out.
  private var runLength = 0
  /// The newest state and its moment, if it was left out.
  private var newest = Piece.none
  private var moment = Moment()
  /// The ticket of the newest record.
  private(set) var lastTicket: UInt64 = 0

  init(_ thinning: Transceiver.Configuration.Thinning) { choice = thinning.whenUnwatched }

  /// Removes and returns the state of a record that no viewer needs; nil if there is none.
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

  /// Notes the ticket of a record that has been written.
  mutating func note(_ ticket: UInt64) { lastTicket = ticket }

  /// A mark that counts the states left out, with the newest state; nil if none was left out.
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
