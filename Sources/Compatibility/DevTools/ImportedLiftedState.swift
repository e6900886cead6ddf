internal import JSONTree

/// A whole history that a panel imports into the app: the `nextLiftedState` of `IMPORT_STATE`.
public struct ImportedLiftedState: Equatable, Sendable {
  /// The first state of the history, and the state after each action, as JSON.
  public var states: [String]
  /// The actions as JSON, as many as `states`: the first is `@@INIT`.
  public var actions: [String]
  /// The indexes of skipped actions.
  public var skippedActionIds: Set<Int>
  /// The index of the state to put the app into.
  public var currentStateIndex: Int
  /// Whether recording is paused.
  public var isPaused: Bool
  /// Whether the state is locked.
  public var isLocked: Bool

  /// Pads missing actions with `{}`. Clamps the index, by default the last. Nil without a state.
  public init?(
    states: [String], actions: [String] = [], skippedActionIds: Set<Int> = [],
    currentStateIndex: Int? = nil, isPaused: Bool = false, isLocked: Bool = false
  ) {
    guard !states.isEmpty else { return nil }
    self.states = states
    let missing = max(0, states.count - actions.count)
    self.actions = Array(actions.prefix(states.count)) + Array(repeating: "{}", count: missing)
    self.skippedActionIds = skippedActionIds.filter { states.indices.contains($0) }
    self.currentStateIndex = min(max(0, currentStateIndex ?? states.count - 1), states.count - 1)
    self.isPaused = isPaused
    self.isLocked = isLocked
  }
}

extension ImportedLiftedState {
  /// Reads a panel's lifted state; nil if it has no states.
  init?(_ json: JSON) {
    let lifted = json["nextLiftedState"] ?? json["liftedState"] ?? json
    let computed = lifted["computedStates"]?.array ?? []
    let staged = lifted["stagedActionIds"]?.array?.compactMap(\.integer) ?? []
    let actions = staged.map { lifted["actionsById"]?["\($0)"]?["action"]?.text() ?? "{}" }
    self.init(
      states: computed.map { ($0["state"] ?? .null).text() }, actions: actions,
      skippedActionIds: Set(lifted["skippedActionIds"]?.array?.compactMap(\.integer) ?? []),
      currentStateIndex: lifted["currentStateIndex"]?.integer,
      isPaused: lifted["isPaused"] == .bool(true), isLocked: lifted["isLocked"] == .bool(true))
  }

  /// The lifted state as a panel would send it.
  var json: JSON {
    let ids = states.indices.map { JSON.number($0) }
    let actionsById = actions.enumerated().map { id, action in
      JSONObject.Member(key: "\(id)", value: ["action": JSON(orText: action)])
    }
    return [
      "actionsById": .object(JSONObject(actionsById)),
      "computedStates": .array(states.map { ["state": JSON(orText: $0)] }),
      "stagedActionIds": .array(ids),
      "skippedActionIds": .array(skippedActionIds.sorted().map { .number($0) }),
      "currentStateIndex": .number(currentStateIndex), "isPaused": .bool(isPaused),
      "isLocked": .bool(isLocked),
    ]
  }
}

extension JSON {
  /// Parses `text`, or makes it a string if it is not JSON.
  init(orText text: String) { self = JSON(ifValid: Array(text.utf8)) ?? .string(text) }
}
