/// A rule that every state must keep. A step that breaks it does not happen.
///
/// The store calls it on the draining thread, after the reducer and without a lock. It must be
/// pure: replay asks it again.
public struct Validator<State: Sendable>: Sendable {
  /// What an objection names.
  public let name: String
  @usableFromInline let judge: @Sendable (State) -> Objection?

  /// A rule that holds while `isValid` is true.
  public init(_ name: String, _ isValid: @escaping @Sendable (State) -> Bool) {
    self.init(name: name) { isValid($0) ? nil : Objection(validator: name, reason: nil) }
  }

  /// A rule that is broken when `reason` returns one.
  public init(_ name: String, _ reason: @escaping @Sendable (State) -> String?) {
    self.init(name: name) { state in
      reason(state).map { Objection(validator: name, reason: $0) }
    }
  }

  /// Rules under one name, whose objections have names of their own.
  package init(name: String, judge: @escaping @Sendable (State) -> Objection?) {
    self.name = name
    self.judge = judge
  }
}

extension Sequence {
  /// The objection of the first validator that has one; the rest are not asked.
  @inlinable
  package func objection<State: Sendable>(to state: State) -> Objection?
  where Element == Validator<State> {
    for validator in self {
      if let objection = validator.judge(state) { return objection }
    }
    return nil
  }
}

/// Why a validator did not let a state pass.
public struct Objection: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the validator.
  public let validator: String
  /// What it said, if it said more than no.
  public let reason: String?

  /// An objection made by hand, for tests.
  public init(validator: String, reason: String?) {
    self.validator = validator
    self.reason = reason
  }

  /// `no debt: Donald owes 5`, or the name alone.
  public var description: String { reason.map { "\(validator): \($0)" } ?? validator }
}

/// An action that changed nothing, because a validator objected to the state that it led to.
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
  /// This reducer as it works in a store with these validators: an action that leads to a state to
  /// which one of them objects changes nothing, and has no effects.
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
