/// A rule for the states that actions lead to, and for those that come from viewers and files. What
/// breaks it is rejected. `Store.init` and `restore` do not ask it.
///
/// It must be pure, because replay calls it again. Any thread may call it. The store does so on the
/// draining thread, after the reducer and without a lock. Others may do so at the same time, for
/// states from outside.
public struct Validator<State: Sendable>: Sendable {
  /// The name that an objection contains.
  public let name: String
  @usableFromInline let judge: @Sendable (State) -> Objection?

  /// A rule that a state satisfies if `isValid` returns true.
  public init(_ name: String, _ isValid: @escaping @Sendable (State) -> Bool) {
    self.init(name: name) { isValid($0) ? nil : Objection(validator: name, reason: nil) }
  }

  /// A rule that a state breaks if `reason` returns a reason.
  public init(_ name: String, _ reason: @escaping @Sendable (State) -> String?) {
    self.init(name: name) { state in
      reason(state).map { Objection(validator: name, reason: $0) }
    }
  }

  /// Several rules under one name. Each objection contains the name of its own rule.
  package init(name: String, judge: @escaping @Sendable (State) -> Objection?) {
    self.name = name
    self.judge = judge
  }
}

extension Sequence {
  /// The objection of the first validator that has one.
  @inlinable
  package func objection<State: Sendable>(to state: State) -> Objection?
  where Element == Validator<State> {
    for validator in self {
      if let objection = validator.judge(state) { return objection }
    }
    return nil
  }
}

/// Why a validator rejected a state.
public struct Objection: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the validator.
  public let validator: String
  /// The reason that the validator gave, if it gave one.
  public let reason: String?

  /// An objection made by hand, for tests.
  public init(validator: String, reason: String?) {
    self.validator = validator
    self.reason = reason
  }

  /// `no debt: Donald owes 5`, or the name alone.
  public var description: String { reason.map { "\(validator): \($0)" } ?? validator }
}

/// An action that changed nothing, because a validator objected to its state.
public struct Rejection<Action: Sendable>: Sendable {
  /// The action that was rejected.
  public let action: Action
  /// Where `action` was dispatched.
  public let source: ActionSource
  /// The step whose effect or middleware dispatched `action`; `nil` if it came from outside.
  public let cause: UInt64?
  /// The first objection.
  public let objection: Objection

  /// A rejection made by hand, for tests.
  public init(action: Action, source: ActionSource, cause: UInt64? = nil, objection: Objection) {
    self.action = action
    self.source = source
    self.cause = cause
    self.objection = objection
  }
}

extension Rejection: Equatable where Action: Equatable {}

extension Reducer where State: Sendable {
  /// This reducer as a store with these validators runs it. If a validator objects to the state
  /// that an action leads to, the state stays as it is, and the effects are dropped.
  public func validated(by validators: [Validator<State>]) -> Reducer {
    guard !validators.isEmpty else { return self }
    return Reducer { action, state in
      var result = state
      let effects = body(action, &result)
      guard validators.objection(to: result) == nil else { return [] }
      state = result
      return effects
    }
  }
}
