internal import ReduxDevTools
internal import SurfControl
internal import SurfWire

/// A panel's command as an app sees it in `DevToolsAction._received`.
public enum RemoteDevCommand: Equatable, Sendable {
  /// A panel arrived and needs the whole history.
  case start
  case jumpToAction(Int)
  case jumpToState(Int)
  case toggleAction(Int)
  /// Move an action before another, or to the end for nil.
  case reorderAction(Int, before: Int?)
  case reset
  case commit
  case rollback
  case importState(ImportedLiftedState)
  case pauseRecording(Bool)
  case lockChanges(Bool)
  /// Drop the skipped actions.
  case sweep
  /// Send the actions in force, and the state before them, for a file.
  case export
  /// Dispatch an action of the app, given as JSON or as a JavaScript value. For a call of an action
  /// creator this is only the creator's name.
  case dispatch(String)
  /// A command that this version does not know or cannot read.
  case unknown(String)
}

extension RemoteDevCommand {
  /// The command that the machine obeys when the app dispatches `_received`.
  var command: PanelCommand {
    switch self {
    case .start: .start
    case .jumpToAction(let number), .jumpToState(let number): .jumpToIndex(number, state: nil)
    case .toggleAction(let number): .rewrite(.toggle(number, skipped: nil))
    case .reorderAction(let number, let other):
      .rewrite(.move(number, before: other))
    case .reset: .rewrite(.reset)
    case .commit: .rewrite(.commit)
    case .rollback: .rewrite(.rollback)
    case .sweep: .rewrite(.sweep)
    case .pauseRecording(let on): .rewrite(.pause(on))
    case .lockChanges(let on): .rewrite(.lock(on))
    case .importState(let lifted): .importState(lifted.json)
    case .export: .export
    case .dispatch(let text): .dispatchText(text)
    case .unknown(let word): .unknown(word)
    }
  }
}

extension SequenceNumber {
  /// Clamps negative numbers to 0. Neither is the number of an action.
  fileprivate init(_ number: Int) { self.init(UInt64(clamping: number)) }
}
