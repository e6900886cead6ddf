import JSONTree
import SurfControl
import SurfWire

/// A panel's command, from a button or its dispatcher, as `PanelInstance` and `DevTools` obey it. A
/// panel names an action by its place in the history that it has; place 0 is the beginning.
package enum PanelCommand: Equatable, Sendable {
  /// Send the history, and its changes from now on.
  case start
  /// The panel no longer listens.
  case stop
  case jump(action: Int, state: String?)
  /// A jump to a state by its index, which is the place of its action.
  case jumpToIndex(Int, state: String?)
  case rewrite(HistoryCommand<Int>)
  /// An action that a person typed.
  case dispatchText(String)
  /// An action creator with its arguments.
  case create(ActionCreatorCall)
  /// The text of a file.
  case importText(String)
  case importState(JSON)
  case export
  /// A command that this version does not know.
  case unknown(String)
  /// A known command, and its member that is missing or invalid.
  case unreadable(String, String)

  /// Reads the data of a panel's frame; nil if it contains no command.
  package init?(_ data: JSON) {
    guard let type = data["type"]?.string else { return nil }
    switch type {
    case "START", "UPDATE": self = .start
    case "STOP", "DISCONNECTED": self = .stop
    case "ACTION": self = Self.action(data["action"])
    case "IMPORT": self = Self.imported(data["state"])
    case "EXPORT": self = .export
    case "DISPATCH":
      // A Socket.IO relay may send the inner object alone (Relay.md, Socket.IO).
      guard let action = data["action"], let word = action["type"]?.string else { return nil }
      self = Self.button(word, action, state: data["state"]?.string)
    default: self = Self.button(type, data, state: data["state"]?.string)
    }
  }

  private static func button(_ word: String, _ action: JSON, state: String?) -> PanelCommand {
    switch word {
    case "JUMP_TO_ACTION", "JUMP_TO_STATE":
      // Either may name the place as the other does.
      let (usual, other) =
        word == "JUMP_TO_ACTION" ? ("actionId", "index") : ("index", "actionId")
      let member = action[usual] == nil && action[other] != nil ? other : usual
      guard let place = action[member]?.place else { return .unreadable(word, member) }
      return member == "index"
        ? .jumpToIndex(place, state: state) : .jump(action: place, state: state)
    case "IMPORT_STATE":
      return (action["nextLiftedState"] ?? action["state"]).map(imported)
        ?? .unreadable(word, "nextLiftedState")
    default: return rewrite(word, action)
    }
  }

  /// Reads a command that changes history. Invalid members get no defaults: nobody meant those.
  private static func rewrite(_ word: String, _ action: JSON) -> PanelCommand {
    switch word {
    case "TOGGLE_ACTION":
      return action["id"]?.place.map { .rewrite(.toggle($0, skipped: nil)) }
        ?? .unreadable(word, "id")
    case "REORDER_ACTION": return reordering(word, action)
    case "SWEEP": return .rewrite(.sweep)
    case "COMMIT": return .rewrite(.commit)
    case "ROLLBACK": return .rewrite(.rollback)
    case "RESET": return .rewrite(.reset)
    case "PAUSE_RECORDING":
      return action["status"]?.bool.map { .rewrite(.pause($0)) } ?? .unreadable(word, "status")
    case "LOCK_CHANGES":
      return action["status"]?.bool.map { .rewrite(.lock($0)) } ?? .unreadable(word, "status")
    default: return .unknown(word)
    }
  }

  private static func reordering(_ word: String, _ action: JSON) -> PanelCommand {
    guard let id = action["actionId"]?.place else { return .unreadable(word, "actionId") }
    switch action["beforeActionId"] {
    // Dropped after the last row: the panel has Infinity, which JSON.stringify writes as null.
    case nil, .null?: return .rewrite(.move(id, before: nil))
    case let other?:
      return other.place.map { .rewrite(.move(id, before: $0)) }
        ?? .unreadable(word, "beforeActionId")
    }
  }

  private static func action(_ action: JSON?) -> PanelCommand {
    switch action {
    case .string(let text): return .dispatchText(text)
    case .object(let object)?:
      guard let name = object["name"]?.string, let arguments = object["args"]?.array else {
        return .rewrite(.dispatch(.object(object)))
      }
      let texts = arguments.compactMap(\.string)
      guard texts.count == arguments.count else { return .unreadable("ACTION", "args") }
      let rest = object["rest"] ?? .null
      guard rest == .null || rest.string != nil else { return .unreadable("ACTION", "rest") }
      return .create(ActionCreatorCall(name: name, arguments: texts, rest: rest.string))
    default: return .unreadable("ACTION", "action")
    }
  }

  private static func imported(_ state: JSON?) -> PanelCommand {
    switch state {
    case .string(let text): .importText(text)
    case let json?: .importState(json)
    case nil: .unreadable("IMPORT", "state")
    }
  }
}

extension JSON {
  /// An index in a list.
  var place: Int? { natural.flatMap(Int.init(exactly:)) }
}
