internal import JSONTree
internal import ReduxDevTools
internal import SurfWire

/// Builds the frames that `DevToolsMachine` sends, in the relay's protocol.
struct Frames {
  let shapes: PanelFrames
  /// The connection's id for SocketCluster, which the panel addresses. Nil for Socket.IO.
  let connection: String?
  /// Whether actions can be replayed, so that the panel may reorder them.
  let isExact: Bool

  /// Starts a history that begins with `state`.
  func initial(_ state: String) -> JSON {
    guard let connection else { return shapes.seedBeginning(state) }
    let features = PanelFeatures(
      type: "unknown", locks: true, takesActions: true, reorders: isExact, syncs: false)
    return shapes.history("INIT", state, features, connection: connection)
  }

  /// An action with its number for the panel, and the state after it.
  func action(_ step: ReportedStep, number: Int) -> JSON? {
    guard let connection else { return shapes.seedAction(step.action, step.state) }
    return shapes.frame(.action(panelStep(step, number)), connection: connection)
  }

  private func panelStep(_ step: ReportedStep, _ number: Int) -> PanelStep {
    PanelStep(
      id: number, name: step.name, text: step.action, timestamp: step.time, state: step.state)
  }

  /// The reason why a command was refused.
  func failure(_ text: String) -> JSON? {
    guard let connection else { return shapes.seedError(text) }
    return shapes.frame(.error(text), connection: connection)
  }

  /// The content of a panel's exported file: the actions, and the state before them.
  func export(_ steps: [ReportedStep], from state: String) -> JSON? {
    guard let connection else {
      return shapes.seedExport("[\(steps.map(\.action).joined(separator: ","))]", state)
    }
    let actions = JSON.array(steps.map { panelStep($0, 0).action }).text()
    return shapes.frame(.export(actions: actions, committed: state), connection: connection)
  }

  /// A part of the lifted state. Nil for Socket.IO, where only answers carry it.
  func lifted(_ part: JSONObject) -> JSON? {
    connection.flatMap { shapes.frame(.lifted(part), connection: $0) }
  }
}
