internal import ReduxDevTools
internal import SurfControl
internal import SurfWire

/// What a panel asks for.
public enum RemoteDevCommand: Equatable, Sendable {
  /// A panel came: tell it everything.
  case start
  case jumpToAction(Int)
  case jumpToState(Int)
  case toggleAction(Int)
  /// Put an action before another; nil puts it last.
  case reorderAction(Int, before: Int?)
  case reset
  case commit
  case rollback
  case importState(ImportedLiftedState)
  case pauseRecording(Bool)
  case lockChanges(Bool)
  /// Forget the actions that are switched off.
  case sweep
  /// Tell the actions that count, and the state that they begin with, for a file.
  case export
  /// An action of the app, as JSON or as a JavaScript value.
  case dispatch(String)
  /// A command that this version does not know or cannot read.
  case unknown(String)
}

extension RemoteDevCommand {
  /// The command of the panel's button with this word.
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
  /// A number below zero becomes 0: neither is the number of an action.
  fileprivate init(_ number: Int) { self.init(UInt64(clamping: number)) }
}
