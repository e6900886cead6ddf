import JSONTree

// Protocol.md §11.5.
extension ControlCommand {
  /// Reads the bytes of a command; members that it does not know are ignored.
  package init(parsing bytes: [UInt8]) throws(ControlError) {
    let members = Members(of: "command", try ControlError.parse(bytes))
    let word = try members.text("command")
    let own = Members(of: word, members.json)
    switch word {
    case "dispatch": self = .dispatch(try own.value("action"))
    case "toggle": self = .toggle(row: try own.row("row"), skipped: own.flag("skipped"))
    case "reorder":
      self = .reorder(row: try own.row("row"), before: try own.rowIfPresent("before"))
    case "sweep": self = .sweep
    case "commit": self = .commit
    case "rollback": self = .rollback
    case "reset": self = .reset
    case "pause": self = .pause(own.flag("on") ?? true)
    case "lock": self = .lock(own.flag("on") ?? true)
    case "import": self = .replace(try ForeignHistory(own))
    case "describe": self = .describe
    default: throw .unknown(word)
    }
  }

  /// The bytes that say it.
  package var bytes: [UInt8] { json.bytes() }

  private var json: JSON {
    var object = JSONObject([.init(key: "command", value: .string(word))])
    switch self {
    case .dispatch(let action): object["action"] = action
    case .toggle(let row, let skipped):
      object["row"] = .number(row)
      object["skipped"] = skipped.map(JSON.bool)
    case .reorder(let row, let before):
      object["row"] = .number(row)
      object["before"] = before.map { .number($0) }
    case .pause(let on), .lock(let on): object["on"] = .bool(on)
    case .replace(let history): history.write(into: &object)
    case .sweep, .commit, .rollback, .reset, .describe: break
    }
    return .object(object)
  }
}

extension ForeignHistory {
  fileprivate init(_ members: Members) throws(ControlError) {
    committed = members["committed"]
    guard case .array(let entries) = members["steps"] else {
      throw .member("steps", of: members.word)
    }
    steps = []
    for entry in entries { steps.append(try Step(Members(of: "step", entry))) }
    current = members["current"]?.integer
  }

  fileprivate func write(into object: inout JSONObject) {
    object["committed"] = committed
    object["steps"] = .array(steps.map(\.json))
    object["current"] = current.map { .number($0) }
  }
}

extension ForeignHistory.Step {
  fileprivate init(_ members: Members) throws(ControlError) {
    let action = members["action"]
    self.init(
      name: try members.text("name"), action: action,
      // Without one, the app computes it.
      state: action == nil ? try members.value("state") : members["state"],
      isSkipped: members.flag("skipped") ?? false)
  }

  fileprivate var json: JSON {
    var object = JSONObject([.init(key: "name", value: .string(name))])
    object["action"] = action
    object["state"] = state
    if isSkipped { object["skipped"] = true }
    return .object(object)
  }
}
