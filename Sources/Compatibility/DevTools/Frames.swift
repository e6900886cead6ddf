internal import JSONTree
internal import ReduxDevTools
internal import SurfWire

/// The frames that tell the relay of the history, in the relay's protocol.
struct Frames {
  let shapes: PanelFrames
  /// For SocketCluster: the id under which the panel answers; nil for Socket.IO.
  let connection: String?
  /// Whether actions run again, so that their order can change.
  let isExact: Bool

  /// History begins with `state`.
  func initial(_ state: String) -> JSON {
    guard let connection else { return shapes.seedBeginning(state) }
    let features = PanelFeatures(
      type: "unknown", takesActions: true, reorders: isExact, syncs: false)
    return shapes.history("INIT", state, features, connection: connection)
  }

  /// The action that panels know by `number`, and the state after it.
  func action(_ step: ReportedStep, number: Int) -> JSON? {
    guard let connection else { return shapes.seedAction(step.action, step.state) }
    return shapes.frame(.action(panelStep(step, number)), connection: connection)
  }

  private func panelStep(_ step: ReportedStep, _ number: Int) -> PanelStep {
    PanelStep(
      id: number, name: step.name, text: step.action, timestamp: step.time, state: step.state)
  }

  /// Why a command was not carried out.
  func failure(_ text: String) -> JSON? {
    guard let connection else { return shapes.seedError(text) }
    return shapes.frame(.error(text), connection: connection)
  }

  /// What a panel saves as a file: the actions that count, and the state that they begin with.
  func export(_ steps: [ReportedStep], from state: String) -> JSON? {
    guard let connection else {
      return shapes.seedExport("[\(steps.map(\.action).joined(separator: ","))]", state)
    }
    let actions = JSON.array(steps.map { panelStep($0, 0).action }).text()
    return shapes.frame(.export(actions: actions, committed: state), connection: connection)
  }

  /// A part of the lifted state; Socket.IO has no words for it but an answer.
  func lifted(_ part: JSONObject) -> JSON? {
    connection.flatMap { shapes.frame(.lifted(part), connection: $0) }
  }
}
