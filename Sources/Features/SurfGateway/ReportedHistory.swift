import JSONTree
import ReduxDevTools

/// The history in a Redux DevTools app's lifted state, for `RelayedApp` (Relay.md, Guests).
struct ReportedHistory {
  struct Step {
    let id: Int
    let action: JSON
    let state: JSON
    var isSkipped = false

    /// - Parameter action: the plain action, or redux-devtools-instrument's `PERFORM_ACTION` of it.
    init(id: Int, action: JSON, state: JSON, isSkipped: Bool = false) {
      self.id = id
      self.action =
        action["type"] == "PERFORM_ACTION" ? action["action"] ?? action : action
      self.state = state
      self.isSkipped = isSkipped
    }

    /// The `type` of a Redux action, or the case name of an enum that Swift encoded.
    var name: String {
      if let name = action["type"]?.string ?? action.string { return name }
      if let members = action.object?.members, members.count == 1 { return members[0].key }
      return "action \(id)"
    }
  }

  /// The id of the first state: 0, unless the app has dropped its oldest actions.
  let firstID: Int
  let committed: JSON
  let steps: [Step]
  /// The id of the action whose state the app is in.
  let current: Int
  let isLocked: Bool
  let isPaused: Bool

  /// Returns nil if the JSON is not a lifted state.
  init?(_ lifted: JSON) {
    guard let computed = lifted["computedStates"]?.array, let actions = lifted["actionsById"],
      let first = computed.first
    else { return nil }
    let ids = lifted["stagedActionIds"]?.array?.compactMap(\.integer) ?? Array(computed.indices)
    guard ids.count == computed.count else { return nil }
    let skipped = Set(lifted["skippedActionIds"]?.array?.compactMap(\.integer) ?? [])
    firstID = ids[0]
    committed = first["state"] ?? .null
    steps = zip(ids, computed).dropFirst().map { id, entry in
      Step(
        id: id, action: actions["\(id)"] ?? .null, state: entry["state"] ?? .null,
        isSkipped: skipped.contains(id))
    }
    let index = lifted["currentStateIndex"]?.integer ?? ids.count - 1
    current = ids[min(max(0, index), ids.count - 1)]
    isLocked = lifted["isLocked"]?.bool ?? false
    isPaused = lifted["isPaused"]?.bool ?? false
  }

  /// Parses the JSON in a string; returns any other value as it is. Nil if the string is not JSON.
  static func value(_ json: JSON) -> JSON? {
    guard let text = json.string else { return json }
    do throws(LiftedFileError) {
      return try LiftedFileError.parse(text)
    } catch {
      return nil
    }
  }
}
