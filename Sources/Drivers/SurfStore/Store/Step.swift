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
  /// The step whose effect or middleware dispatched `action`; `nil` if it came from outside.
  public let cause: UInt64?

  /// A step made by hand, for tests and for replay.
  @inlinable
  public init(
    id: UInt64, action: Action, state: State, source: ActionSource, cause: UInt64? = nil
  ) {
    self.id = id
    self.action = action
    self.state = state
    self.source = source
    self.cause = cause
  }
}

extension Step: Equatable where Action: Equatable, State: Equatable {}
