import JSONTools
internal import JSONTree
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
  /// What the frame of a panel means; nil if it asks for nothing.
  init?(_ frame: JSON) {
    guard let command = PanelCommand(frame) else { return nil }
    switch command {
    case .start: self = .start
    case .stop: return nil
    case .jump(let id, _):
      self = Int(exactly: id.rawValue).map { .jumpToAction($0) } ?? .unknown("JUMP")
    case .jumpToIndex(let index, _): self = .jumpToState(index)
    case .rewrite(let command): self = Self.rewrite(command)
    case .dispatchText(let text): self = .dispatch(text)
    case .create(let creation): self = Self.created(creation)
    case .importState(let json): self = Self.imported(json)
    case .importText(let text): self = Self.imported(JSON(ifValid: Array(text.utf8)))
    case .export: self = .export
    case .unknown(let word): self = .unknown(word)
    }
  }

  private static func rewrite(_ command: HistoryCommand<SequenceNumber>) -> RemoteDevCommand {
    switch command {
    case .toggle(let id, _):
      Int(exactly: id.rawValue).map { .toggleAction($0) } ?? .unknown("TOGGLE")
    case .reset: .reset
    case .commit: .commit
    case .rollback: .rollback
    case .pause(let on): .pauseRecording(on)
    case .lock(let on): .lockChanges(on)
    case .dispatch(let action): .dispatch(JSAN.plain(action).text())
    case .sweep: .sweep
    case .move: .unknown("REORDER_ACTION")
    case .replace, .describe: .unknown(command.word)
    }
  }

  private static func imported(_ json: JSON?) -> RemoteDevCommand {
    json.flatMap(ImportedLiftedState.init).map { .importState($0) } ?? .unknown("IMPORT_STATE")
  }

  private static func created(_ creation: Creation) -> RemoteDevCommand {
    do throws(Creation.Refusal) {
      return .dispatch(try creation.action().text())
    } catch {
      return .unknown(error.description)
    }
  }
}
