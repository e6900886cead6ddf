import JSONTools
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
  /// The place to be in is moved into the history, and is the last one by default.
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
  /// Reads `computedStates`, with the actions of `stagedActionIds`; nil if there is no state.
  init?(_ json: JSON) {
    let lifted = JSAN.plain(json["nextLiftedState"] ?? json["liftedState"] ?? json)
    guard let computed = lifted["computedStates"]?.elements else { return nil }
    let states = computed.compactMap { $0["state"]?.text() }
    guard states.count == computed.count else { return nil }
    let staged = lifted["stagedActionIds"]?.elements?.compactMap(\.integer)
    let ids = staged ?? Array(states.indices)
    let skipped = Set(lifted["skippedActionIds"]?.elements?.compactMap(\.integer) ?? [])
    self.init(
      states: states,
      actions: ids.map { lifted["actionsById"]?["\($0)"]?["action"]?.text() ?? "{}" },
      skippedActionIds: Set(ids.indices.filter { skipped.contains(ids[$0]) }),
      currentStateIndex: lifted["currentStateIndex"]?.integer,
      isPaused: lifted["isPaused"] == .bool(true), isLocked: lifted["isLocked"] == .bool(true))
  }
}

extension JSON {
  subscript(key: String) -> JSON? {
    if case .object(let object) = self { object[key] } else { nil }
  }

  var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  var integer: Int? {
    if case .number(let number) = self { number.integer } else { nil }
  }

  var elements: [JSON]? {
    if case .array(let elements) = self { elements } else { nil }
  }
}
