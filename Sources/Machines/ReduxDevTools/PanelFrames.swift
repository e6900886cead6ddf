import JSONTree

/// The objects that carry messages to panels, by the two ways in which panels are reached.
extension PanelInstance {
  /// What a SocketCluster panel is sent on `log`: the shapes that `@redux-devtools/app` reads.
  ///
  /// - Parameter connection: the id under which the panel answers this app.
  package func frame(_ message: PanelMessage, connection: String) -> JSON {
    var object = JSONObject()
    switch message {
    case .whole:
      object["type"] = "STATE"
      object["payload"] = .string(liftedText)
      object["libConfig"] = libraryConfiguration
    case .action(let step):
      object["type"] = "ACTION"
      object["payload"] = .string(ExactNumber.marked(step.state))
      object["action"] = .string(ExactNumber.marked(step.lifted.text()))
      object["nextActionId"] = .number(step.id.next)
    case .lifted(let part):
      object["type"] = "LIFTED"
      object["liftedState"] = .object(part)
    case .error(let text):
      object["type"] = "ERROR"
      object["payload"] = .string(text)
    case .export(let actions, let committed):
      object["type"] = "EXPORT"
      object["payload"] = .string(actions)
      object["committedState"] = .string(committed)
    }
    // What is too much is left out here, where the pointer is known; a panel shall drop nothing.
    object["maxAge"] = .number(Int64(clamping: bounds.rowCountMax) &* 2 &+ 2)
    return .object(signed(object, connection))
  }

  /// The first word of an app: a panel answers it with the same.
  package func startFrame(connection: String) -> JSON {
    .object(signed(JSONObject([.init(key: "type", value: "START")]), connection))
  }

  private func signed(_ object: JSONObject, _ connection: String) -> JSONObject {
    var object = object
    object["id"] = .string(connection)
    object["instanceId"] = .string(id)
    object["name"] = .string(name)
    return object
  }

  /// Which buttons the panel shows: those that this app can obey.
  private var libraryConfiguration: JSON {
    let takesCommands: JSON = .bool(takesCommands)
    let features: JSON = [
      "lock": takesCommands, "dispatch": takesCommands, "reorder": takesCommands,
      "import": "custom", "export": true, "persist": true, "pause": true, "jump": true,
      "skip": true, "sync": true, "test": true,
    ]
    var configuration = JSONObject([
      .init(key: "type", value: "redux"), .init(key: "name", value: .string(name)),
      .init(key: "features", value: features),
    ])
    if !creators.isEmpty {
      let list = creators.map { creator -> JSON in
        ["name": .string(creator.name), "args": .array(creator.fields.map { .string($0) })]
      }
      configuration["actionCreators"] = .string(JSON.array(list).text())
    }
    return .object(configuration)
  }

  /// What a Socket.IO relay is sent as `log` (Protocol.md §18.4): two frames, with JSON in strings;
  /// a history is an INIT and an ACTION for each of its steps.
  package func seedFrames(_ message: PanelMessage) -> [JSON] {
    switch message {
    case .whole:
      let (initial, steps) = steps
      let first: JSON = [
        "type": "INIT", "payload": .string(initial), "instanceId": .string(id),
        "name": .string(name),
      ]
      return [first] + steps.map(seedFrame)
    case .action(let step): return step.isRemark ? [] : [seedFrame(step)]
    case .error(let text):
      return [["type": "ERROR", "payload": .string(text), "instanceId": .string(id)]]
    case .export(let actions, let committed):
      return [
        [
          "type": "EXPORT", "payload": .string(actions), "committedState": .string(committed),
          "instanceId": .string(id),
        ]
      ]
    // The document knows no way to say where the app is.
    case .lifted: return []
    }
  }

  private func seedFrame(_ step: PanelStep) -> JSON {
    [
      "type": "ACTION", "action": .string(PanelAction.seedJSON(step.action).text()),
      "payload": .string(step.state), "instanceId": .string(id),
    ]
  }
}

extension PanelAction {
  /// The same action as MirrorJSON writes it: `"increment"`, `{"add":"milk"}`.
  static func seedJSON(_ action: JSON) -> JSON {
    guard case .object(let object) = action, let type = object["type"]?.text else { return action }
    let others = object.members.filter { $0.key != "type" }
    if others.isEmpty { return .string(type) }
    if others.count == 1, let payload = object["payload"] {
      return .object(JSONObject([.init(key: type, value: payload)]))
    }
    return .object(JSONObject([.init(key: type, value: .object(JSONObject(others)))]))
  }
}
