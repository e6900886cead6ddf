/// What a row did to the state, for viewers that run it again.
public struct SwiftyChange: Sendable, CustomStringConvertible, CustomReflectable {
  let happening: SwiftyEngine.Happening

  /// The action, as `String(describing:)` shows it, or `load` or `loadJSON`.
  public var description: String { String(describing: happening.subject) }

  /// That of the action itself.
  public var customMirror: Mirror { Mirror(reflecting: happening.subject) }

  /// The state after it. It depends on nothing else, so that viewers can leave out an earlier one.
  public func applied<State: SwiftyStateStoreProtocol>(to state: State) -> State {
    switch happening {
    case .run(let action, _): action.reducer(state: state) as? State ?? state
    case .load(let loaded, _): loaded as? State ?? state
    }
  }
}
