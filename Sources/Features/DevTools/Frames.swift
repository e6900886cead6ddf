internal import JSONTree

/// The objects that tell a relay of the history, by the two ways of speaking to it.
struct Frames {
  let instance: String
  let name: String
  /// For SocketCluster: the id under which the panel answers; nil for Socket.IO.
  var connection: String?
  /// Whether actions are run again, so that their order can be another.
  var isExact = false

  /// History begins with `state`.
  func initial(_ state: String) -> JSON {
    var members: [(String, JSON)] = [("type", "INIT"), ("payload", .string(state))]
    members += [("instanceId", .string(instance)), ("name", .string(name))]
    if let connection {
      members += [("id", .string(connection)), ("libConfig", libraryConfiguration)]
    }
    return object(members)
  }

  /// The action that panels know by `number`, and the state after it.
  func action(_ step: ToldStep, number: Int) -> JSON {
    var members: [(String, JSON)] = [("type", "ACTION")]
    if let connection {
      let lifted: JSON = [
        "type": "PERFORM_ACTION", "action": Self.reduxAction(step.action),
        "timestamp": .number(step.time),
      ]
      members += [("action", .string(lifted.text())), ("payload", .string(step.state))]
      members += [("instanceId", .string(instance)), ("name", .string(name))]
      members += [("id", .string(connection)), ("nextActionId", .number(number + 1))]
    } else {
      members += [("action", .string(step.action)), ("payload", .string(step.state))]
      members += [("instanceId", .string(instance))]
    }
    return object(members)
  }

  /// Why a command was not carried out.
  func failure(_ text: String) -> JSON {
    var members: [(String, JSON)] = [("type", "ERROR"), ("payload", .string(text))]
    members += [("instanceId", .string(instance))]
    if let connection { members += [("name", .string(name)), ("id", .string(connection))] }
    return object(members)
  }

  /// What a panel saves as a file: the actions that count, and the state that they begin with.
  func export(_ actions: [String], from state: String) -> JSON {
    let list = connection == nil ? nil : JSON.array(actions.map(Self.reduxAction)).text()
    var members: [(String, JSON)] = [("type", "EXPORT")]
    members += [("payload", .string(list ?? "[\(actions.joined(separator: ","))]"))]
    members += [("committedState", .string(state)), ("instanceId", .string(instance))]
    if let connection { members += [("name", .string(name)), ("id", .string(connection))] }
    return object(members)
  }

  /// Where the app is, and what is switched off, by the panel's numbers; Socket.IO has no words
  /// for it.
  func place(_ index: Int, skipped: Set<Int>) -> JSON? {
    guard let connection else { return nil }
    let lifted: JSON = [
      "currentStateIndex": .number(index),
      "skippedActionIds": .array(skipped.sorted().map { .number($0) }),
    ]
    return object([
      ("type", "LIFTED"), ("liftedState", lifted), ("instanceId", .string(instance)),
      ("name", .string(name)), ("id", .string(connection)),
    ])
  }

  private var libraryConfiguration: JSON {
    [
      "type": "unknown", "name": .string(name),
      "features": [
        "lock": true, "dispatch": true, "reorder": .bool(isExact), "import": "custom",
        "export": true,
        "persist": true, "pause": true, "jump": true, "skip": true, "sync": false, "test": true,
      ],
    ]
  }

  private func object(_ members: [(String, JSON)]) -> JSON {
    .object(JSONObject(members.map { .init(key: $0.0, value: $0.1) }))
  }

  /// `{"add":"milk"}` becomes `{"type":"add","payload":"milk"}`, as a panel expects it.
  static func reduxAction(_ text: String) -> JSON {
    switch JSON(ifValid: Array(text.utf8)) {
    case .string(let name)?: return ["type": .string(name)]
    case .object(let object)?:
      if case .string? = object["type"] { return .object(object) }
      guard object.members.count == 1, let only = object.members.first else {
        return ["type": "action", "payload": .object(object)]
      }
      if case .object(let payload) = only.value, payload.members.isEmpty {
        return ["type": .string(only.key)]
      }
      return ["type": .string(only.key), "payload": only.value]
    case let other?: return ["type": "action", "payload": other]
    case nil: return ["type": .string(text)]
    }
  }
}
