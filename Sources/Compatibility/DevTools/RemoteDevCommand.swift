internal import JSONTree
internal import ReduxDevTools
internal import SurfControl

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

extension RemoteDevCommand {
  /// The app's view of a panel's command. The machine obeys the `PanelCommand` itself, so details
  /// may be lost here: a call of an action creator has no case, and keeps only its name.
  init(_ command: PanelCommand) {
    switch command {
    case .start: self = .start
    case .stop: self = .unknown("STOP")
    case .jump(let number, _): self = .jumpToAction(number)
    case .jumpToIndex(let index, _): self = .jumpToState(index)
    case .rewrite(let command): self = RemoteDevCommand(command)
    case .dispatchText(let text): self = .dispatch(text)
    case .create(let call): self = .dispatch(call.name)
    case .importState(let json): self = Self.imported(ImportedLiftedState(json))
    case .importText(let text): self = Self.imported(ImportedLiftedState(JSON(orText: text)))
    case .export: self = .export
    case .unknown(let word), .unreadable(let word, _): self = .unknown(word)
    }
  }

  private static func imported(_ lifted: ImportedLiftedState?) -> RemoteDevCommand {
    lifted.map { .importState($0) } ?? .unknown("IMPORT_STATE")
  }

  private init(_ command: HistoryCommand<Int>) {
    switch command {
    case .dispatch(let action): self = .dispatch(action.text())
    case .toggle(let number, _): self = .toggleAction(number)
    case .move(let number, let other): self = .reorderAction(number, before: other)
    case .sweep: self = .sweep
    case .commit: self = .commit
    case .rollback: self = .rollback
    case .reset: self = .reset
    case .pause(let on): self = .pauseRecording(on)
    case .lock(let on): self = .lockChanges(on)
    case .replace, .describe, .drive: self = .unknown(command.word)
    }
  }
}

extension DevToolsAction {
  /// The action that `DevTools` emits to the app after the command has succeeded. Nil for commands
  /// without one. A reordering reaches the app's `DevToolsState` by `_synchronized`, if at all.
  init?(_ command: RemoteDevCommand) {
    switch command {
    case .jumpToAction(let index): self = .jumpToAction(index)
    case .jumpToState(let index): self = .jumpToState(index)
    case .toggleAction(let index): self = .toggleAction(index)
    case .sweep: self = .sweep
    case .reset: self = .reset
    case .commit: self = .commit
    case .rollback: self = .rollback
    case .importState(let lifted): self = .importState(lifted)
    case .pauseRecording(let on): self = on ? .pause : .resume
    case .lockChanges(let on): self = on ? .lockChanges : .unlockChanges
    case .dispatch(let text): self = .dispatchAction(text)
    case .start, .export, .reorderAction, .unknown: return nil
    }
  }
}
