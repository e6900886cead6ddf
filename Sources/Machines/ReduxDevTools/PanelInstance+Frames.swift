import JSONTree
import SurfWire

// Frames for panels, in either protocol.
extension PanelInstance {
  private var frames: PanelFrames {
    // Excess rows are dropped here, where the pointer is known. The panel must drop none itself.
    PanelFrames(
      instance: id, name: name, countMax: Int64(clamping: bounds.rowCountMax) &* 2 &+ 2)
  }

  /// A message for SocketCluster panels, on `log`.
  ///
  /// - Parameter connection: the id under which the panel answers this app.
  package func frame(_ message: PanelMessage, connection: String) -> JSON {
    let frames = frames
    return frames.frame(message, connection: connection)
      ?? frames.history("STATE", liftedText, features, connection: connection)
  }

  /// The app's first message. A panel answers it with the same.
  package func startFrame(connection: String) -> JSON { frames.start(connection: connection) }

  private var features: PanelFeatures {
    PanelFeatures(
      type: "redux", locks: takesCommands, takesActions: heartbeat.takesActions,
      reorders: rewritesHistory, syncs: true, creators: creators)
  }

  /// A message for a Socket.IO relay, in `log`. A history becomes an INIT and one ACTION per step.
  package func seedFrames(_ message: PanelMessage) -> [JSON] {
    let frames = frames
    func frame(_ step: PanelStep) -> JSON {
      frames.seedAction(PanelAction.seedJSON(step.action).text(), step.state)
    }
    switch message {
    case .whole:
      let (initial, steps) = steps
      return [frames.seedBeginning(initial)] + steps.map(frame)
    case .action(let step): return step.isRemark ? [] : [frame(step)]
    case .error(let text): return [frames.seedError(text)]
    case .export(let actions, let committed): return [frames.seedExport(actions, committed)]
    // The protocol has no message for the app's position.
    case .lifted: return []
    }
  }
}

extension PanelAction {
  /// The action as `MirrorJSON` writes it: `"increment"`, `{"add":"milk"}`.
  static func seedJSON(_ action: JSON) -> JSON {
    guard let object = action.object, let type = object["type"]?.string else { return action }
    let others = object.members.filter { $0.key != "type" }
    if others.isEmpty { return seedJSON(type, nil) }
    let payload = others.count == 1 ? object["payload"] : nil
    return seedJSON(type, payload ?? .object(JSONObject(others)))
  }

  /// Nested cases are nested objects. Only the names of log lines contain spaces.
  private static func seedJSON(_ type: String, _ values: JSON?) -> JSON {
    let isPath = !type.hasPrefix("@@") && !type.contains(" ")
    var names = isPath ? type.split(separator: ".").map(String.init) : [type]
    let last = names.popLast() ?? type
    let innermost: JSON = values.map { [last: $0] } ?? .string(last)
    return names.reversed().reduce(innermost) { [$1: $0] }
  }
}
