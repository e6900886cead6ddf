internal import JSONTree

/// A whole history as a panel hands it over: the `nextLiftedState` of `IMPORT_STATE`.
public struct ImportedLiftedState: Equatable, Sendable {
  /// The state that the history begins with, then the one after each action, as JSON.
  public var states: [String]
  /// The actions as JSON, the first one, `@@INIT`, included: as many as `states`.
  public var actions: [String]
  /// Places of actions that are switched off.
  public var skippedActionIds: Set<Int>
  /// The place of the state to be in.
  public var currentStateIndex: Int
  /// Whether recording was paused.
  public var isPaused: Bool
  /// Whether the state was locked.
  public var isLocked: Bool

  /// A history of `states`, whose actions are `{}` where there are too few; nil without a state.
  /// The place is clamped to the history, and is the last one by default.
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
  /// Reads what a panel hands over; nil if it has no states.
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

  /// As a panel would hand it over.
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
  /// The value that `text` describes, or `text` itself if it describes none.
  init(orText text: String) { self = JSON(ifValid: Array(text.utf8)) ?? .string(text) }
}
