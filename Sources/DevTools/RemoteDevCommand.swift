internal import JSONTree
internal import ReduxDevTools

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
    case .jump(let id, _): self = Int(exactly: id).map { .jumpToAction($0) } ?? .unknown("JUMP")
    case .jumpToIndex(let index, _): self = .jumpToState(index)
    case .toggle(let id): self = Int(exactly: id).map { .toggleAction($0) } ?? .unknown("TOGGLE")
    case .reset: self = .reset
    case .commit: self = .commit
    case .rollback: self = .rollback
    case .pause(let on): self = .pauseRecording(on)
    case .lock(let on): self = .lockChanges(on)
    case .dispatch(let action): self = .dispatch(JSAN.plain(action).text())
    case .dispatchText(let text): self = .dispatch(text)
    case .create(let name, let arguments): self = Self.created(name, arguments)
    case .importState(let json): self = Self.imported(json)
    case .importText(let text): self = Self.imported(JSON(ifValid: Array(text.utf8)))
    case .reorder: self = .unknown("REORDER_ACTION")
    case .sweep: self = .unknown("SWEEP")
    case .export: self = .unknown("EXPORT")
    case .unknown(let word): self = .unknown(word)
    }
  }

  private static func imported(_ json: JSON?) -> RemoteDevCommand {
    json.flatMap(ImportedLiftedState.init).map { .importState($0) } ?? .unknown("IMPORT_STATE")
  }

  /// `add("milk")` as an action: one argument is the payload, several are its elements.
  private static func created(_ name: String, _ arguments: [String]) -> RemoteDevCommand {
    var values: [JSON] = []
    do throws(JavaScriptLiteralError) {
      for argument in arguments where !argument.isEmpty {
        values.append(try JavaScriptLiteral.parse(argument))
      }
    } catch {
      return .unknown("\(name): \(error)")
    }
    if values.isEmpty { return .dispatch(JSON.string(name).text()) }
    let numbered = values.enumerated().map {
      JSONObject.Member(key: "_\($0.offset)", value: $0.element)
    }
    let payload = values.count == 1 ? values[0] : .object(JSONObject(numbered))
    return .dispatch(JSON.object(JSONObject([.init(key: name, value: payload)])).text())
  }
}
