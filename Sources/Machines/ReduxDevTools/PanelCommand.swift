import JSONTree
import SurfControl
import SurfWire

/// What a panel asks for, by a button or from its dispatcher.
package enum PanelCommand: Equatable, Sendable {
  /// Send everything, and go on sending.
  case start
  /// The panel no longer listens.
  case stop
  case jump(action: SequenceNumber, state: String?)
  /// The same by the place among the staged actions.
  case jumpToIndex(Int, state: String?)
  case rewrite(HistoryCommand<SequenceNumber>)
  /// An action as text that a person typed.
  case dispatchText(String)
  /// An action creator with its arguments.
  case create(ActionCreatorCall)
  /// The text of a file, or a lifted state.
  case importText(String)
  case importState(JSON)
  case export
  /// A word that this version does not know.
  case unknown(String)

  /// Reads the data of a frame from a panel; nil if it holds no command.
  package init?(_ data: JSON) {
    guard let type = data["type"]?.string else { return nil }
    switch type {
    case "START", "UPDATE": self = .start
    case "STOP", "DISCONNECTED": self = .stop
    case "ACTION": self = Self.action(data["action"])
    case "IMPORT": self = Self.imported(data["state"])
    case "EXPORT": self = .export
    case "DISPATCH":
      // A Socket.IO relay may send the inner object bare (Protocol.md §B.4).
      guard let action = data["action"], let word = action["type"]?.string else { return nil }
      self = Self.button(word, action, state: data["state"]?.string)
    default: self = Self.button(type, data, state: data["state"]?.string)
    }
  }

  private static func button(_ word: String, _ action: JSON, state: String?) -> PanelCommand {
    switch word {
    case "JUMP_TO_ACTION":
      if let id = action["actionId"]?.row { return .jump(action: id, state: state) }
      return .jumpToIndex(action["index"]?.integer ?? 0, state: state)
    case "JUMP_TO_STATE":
      if let index = action["index"]?.integer { return .jumpToIndex(index, state: state) }
      return .jump(action: action["actionId"]?.row ?? 0, state: state)
    case "IMPORT_STATE":
      return (action["nextLiftedState"] ?? action["state"]).map(imported) ?? .unknown(word)
    default: return rewrite(word, action).map { .rewrite($0) } ?? .unknown(word)
    }
  }

  /// Turns a panel's words into a change of history.
  private static func rewrite(_ word: String, _ action: JSON) -> HistoryCommand<SequenceNumber>? {
    switch word {
    case "TOGGLE_ACTION": action["id"]?.row.map { .toggle($0, skipped: nil) }
    case "REORDER_ACTION":
      action["actionId"]?.row.map { .move($0, before: action["beforeActionId"]?.row) }
    case "SWEEP": .sweep
    case "COMMIT": .commit
    case "ROLLBACK": .rollback
    case "RESET": .reset
    case "PAUSE_RECORDING": .pause(action["status"]?.bool ?? true)
    case "LOCK_CHANGES": .lock(action["status"]?.bool ?? true)
    default: nil
    }
  }

  private static func action(_ action: JSON?) -> PanelCommand {
    switch action {
    case .string(let text): .dispatchText(text)
    case .object(let object)?:
      if let name = object["name"]?.string, let arguments = object["args"]?.array {
        .create(
          ActionCreatorCall(
            name: name, arguments: arguments.map { $0.string ?? "" }, rest: object["rest"]?.string))
      } else {
        .rewrite(.dispatch(.object(object)))
      }
    default: .unknown("ACTION")
    }
  }

  private static func imported(_ state: JSON?) -> PanelCommand {
    switch state {
    case .string(let text): .importText(text)
    case let json?: .importState(json)
    case nil: .unknown("IMPORT")
    }
  }
}

extension JSON {
  /// A row's number.
  var row: SequenceNumber? { natural.map { SequenceNumber($0) } }
}
