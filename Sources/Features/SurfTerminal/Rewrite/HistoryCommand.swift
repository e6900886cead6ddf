import JSONTree
import SurfControl
import SurfWire

/// What an app is asked to do with its history, besides being in a state of it (Protocol.md §11.5):
/// with rows as a person names them, and then with their numbers.
package enum HistoryCommand<Row: Equatable & Sendable>: Equatable, Sendable {
  /// Run this action through the app's own reducer.
  case dispatch(JSON)
  /// Leave an action out, or take it in again; nil turns it round.
  case toggle(Row, skipped: Bool?)
  /// Put an action before another; nil puts it last.
  case move(Row, before: Row?)
  /// Forget the actions that are left out.
  case sweep
  /// Let history begin with the state of now.
  case commit
  /// Return to the state that history begins with.
  case rollback
  /// Record nothing, or record again.
  case pause(Bool)
  /// Refuse the app's own actions, or take them again.
  case lock(Bool)
  /// Replace the history by one that was recorded elsewhere.
  case replace(ForeignHistory)

  /// Whether only an app that runs its recorded actions again can do it.
  var replays: Bool {
    switch self {
    case .toggle, .move: true
    case .dispatch, .sweep, .commit, .rollback, .pause, .lock, .replace: false
    }
  }
}

extension HistoryCommand<SequenceNumber> {
  /// As it goes to the app.
  var bytes: [UInt8] { control.bytes }

  private var control: ControlCommand {
    switch self {
    case .dispatch(let action): .dispatch(action)
    case .toggle(let row, let skipped): .toggle(row: row.rawValue, skipped: skipped)
    case .move(let row, let before): .reorder(row: row.rawValue, before: before?.rawValue)
    case .sweep: .sweep
    case .commit: .commit
    case .rollback: .rollback
    case .pause(let on): .pause(on)
    case .lock(let on): .lock(on)
    case .replace(let history): .replace(history)
    }
  }

  /// What was done, behind where the app is then.
  var done: String {
    switch self {
    case .dispatch: " (dispatched)"
    case .toggle(let row, true?): ", without row \(row) (exact)"
    case .toggle(let row, false?): ", with row \(row) again (exact)"
    // The record that tells has not come.
    case .toggle(let row, nil): ", with row \(row) toggled (exact)"
    case .move(let row, let before?): ", with row \(row) before row \(before) (exact)"
    case .move(let row, nil): ", with row \(row) last (exact)"
    case .sweep: " (swept)"
    case .commit: " (committed)"
    case .rollback: " (rolled back)"
    case .pause(let on): on ? " (recording paused)" : " (recording resumed)"
    case .lock(let on): on ? " (locked)" : " (unlocked)"
    case .replace(let history): " (\(history.steps.count) actions imported)"
    }
  }
}
