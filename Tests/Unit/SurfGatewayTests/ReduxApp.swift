import JSONTree

/// An app of JavaScript with `@redux-devtools/instrument` and `@redux-devtools/remote` 1.0.0: its
/// history and its messages. Its state is a list, and actions append to it.
struct ReduxApp {
  private struct Step {
    let id: Int
    let number: Int
    var isSkipped = false
  }

  private var committed: [Int] = []
  private var steps: [Step] = []
  private var nextID = 1
  /// The place of the app in the staged states. The committed state is place 0.
  private var index = 0
  private var isLocked = false
  private var isPaused = false
  private var isMonitored = false
  /// Its actions of all times, so that no two are alike.
  private var actionCount = 0
  private var frames: [JSON] = [["type": "START", "instanceId": "i", "name": "Redux"]]

  mutating func takeFrames() -> [JSON] {
    defer { frames = [] }
    return frames
  }

  private var states: [[Int]] {
    steps.reduce(into: [committed]) { states, step in
      let last = states[states.count - 1]
      states.append(step.isSkipped ? last : last + [step.number])
    }
  }

  /// The state that it is in.
  var state: JSON { Self.json(states[index]) }
  /// The states in history, in order.
  var history: [JSON] { states.map(Self.json) }
  var isAtBeginning: Bool { index == 0 }
  /// The numbers of actions, in their order.
  var ids: [Int] { steps.map(\.id) }
  var skippedIDs: [Int] { steps.filter(\.isSkipped).map(\.id) }

  private static func json(_ list: [Int]) -> JSON { ["list": .array(list.map { .number($0) })] }

  private func action(_ step: Step) -> JSON {
    [
      "type": "PERFORM_ACTION", "action": ["type": "add", "number": .number(step.number)],
      "timestamp": .number(1_700_000_000_000 + step.number),
    ]
  }

  private mutating func relay(_ type: String, _ members: [String: JSON]) {
    guard isMonitored else { return }
    var frame: JSONObject = ["type": .string(type), "instanceId": "i", "name": "Redux"]
    for (key, value) in members.sorted(by: { $0.key < $1.key }) { frame[key] = value }
    frames.append(.object(frame))
  }

  private mutating func relayState() {
    var actions: JSONObject = ["0": ["type": "PERFORM_ACTION", "action": ["type": "@@INIT"]]]
    for step in steps { actions["\(step.id)"] = action(step) }
    let lifted: JSON = [
      "actionsById": .object(actions), "nextActionId": .number(nextID),
      "stagedActionIds": .array(([0] + ids).map { .number($0) }),
      "skippedActionIds": .array(skippedIDs.map { .number($0) }),
      "committedState": Self.json(committed), "currentStateIndex": .number(index),
      "computedStates": .array(history.map { ["state": $0] }),
      "isLocked": .bool(isLocked), "isPaused": .bool(isPaused),
    ]
    relay("STATE", ["payload": .string(lifted.text())])
  }

  mutating func act() {
    actionCount += 1
    perform(actionCount)
  }

  private mutating func perform(_ number: Int) {
    guard !isLocked, !isPaused else { return }
    if index == steps.count { index += 1 }
    let step = Step(id: nextID, number: number)
    steps.append(step)
    nextID += 1
    relay(
      "ACTION",
      [
        "payload": .string(state.text()), "action": .string(action(step).text()),
        "nextActionId": .number(nextID),
      ])
  }

  /// A panel, or the gateway, says something.
  mutating func hear(_ frame: JSON) {
    switch frame["type"]?.string {
    case "START":
      isMonitored = true
      relayState()
    case "STOP", "DISCONNECTED":
      relay("STOP", [:])
      isMonitored = false
    case "UPDATE": relayState()
    case "ACTION":
      let action = JSON(ifValid: Array((frame["action"]?.string ?? "").utf8))
      if let number = action?["number"]?.integer {
        perform(number)
      } else {
        relay("ERROR", ["payload": "Actions must be plain objects."])
      }
    case "DISPATCH":
      guard let action = frame["action"], obey(action) else { return }
      if action["type"] != "JUMP_TO_STATE" { relayState() }
    default: break
    }
  }

  private mutating func obey(_ action: JSON) -> Bool {
    let id = action["actionId"]?.integer ?? action["id"]?.integer ?? -1
    let place = steps.firstIndex { $0.id == id }
    switch action["type"]?.string {
    case "JUMP_TO_ACTION":
      if let place { index = place + 1 } else if id == 0 { index = 0 } else { return false }
    case "JUMP_TO_STATE": index = min(action["index"]?.integer ?? 0, steps.count)
    case "TOGGLE_ACTION": if let place { steps[place].isSkipped.toggle() }
    case "REORDER_ACTION":
      guard let place else { return false }
      let step = steps.remove(at: place)
      let before = action["beforeActionId"]?.integer
      let target = steps.firstIndex { $0.id == before } ?? steps.count
      steps.insert(step, at: target)
    case "SWEEP":
      steps.removeAll(where: \.isSkipped)
      index = min(index, steps.count)
    case "COMMIT": begin(in: states[index])
    case "ROLLBACK": begin(in: committed)
    case "RESET": begin(in: [])
    case "LOCK_CHANGES": isLocked = action["status"]?.bool ?? false
    case "PAUSE_RECORDING": isPaused = action["status"]?.bool ?? false
    default: return false
    }
    return true
  }

  private mutating func begin(in state: [Int]) {
    (committed, steps, nextID, index) = (state, [], 1, 0)
  }
}
