/// One action applied, and the state it left: what a debugger records.
public struct Step<Action: Sendable, State: Sendable>: Sendable {
  /// 1 for the first step of a store, then 2, 3, … without gaps; a restore takes no number.
  public let id: UInt64
  /// The action that was applied.
  public let action: Action
  /// The state after `action`.
  public let state: State
  /// Where `action` was dispatched.
  public let source: ActionSource
  /// What dispatched `action`; `nil` if it came from outside.
  package let origin: ActionCause?

  /// The step whose effect or middleware dispatched `action`; `nil` if it came from outside.
  public var cause: UInt64? { origin?.step }

  /// The restore of whose state a subscriber was told as it dispatched `action`.
  package var restore: UInt64? {
    if case .restore(let id) = origin { id } else { nil }
  }

  /// A step made by hand, for tests and for replay.
  @inlinable
  public init(
    id: UInt64, action: Action, state: State, source: ActionSource, cause: UInt64? = nil
  ) {
    self.init(
      id: id, action: action, state: state, source: source,
      origin: cause.map { .step($0) })
  }

  @usableFromInline
  package init(
    id: UInt64, action: Action, state: State, source: ActionSource, origin: ActionCause?
  ) {
    self.id = id
    self.action = action
    self.state = state
    self.source = source
    self.origin = origin
  }
}

extension Step: Equatable where Action: Equatable, State: Equatable {}
