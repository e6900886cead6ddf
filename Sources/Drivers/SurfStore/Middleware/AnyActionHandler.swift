/// A place where actions go, such as a store. Any thread may dispatch to it.
public struct AnyActionHandler<ActionType: Sendable>: Sendable {
  private let receive: @Sendable (ActionType, ActionSource) -> Void

  /// A handler that calls `receive` with each action, on the thread that dispatches it.
  public init(_ receive: @escaping @Sendable (ActionType, ActionSource) -> Void) {
    self.receive = receive
  }

  /// Dispatches `action` as if `source` had.
  public func dispatch(_ action: ActionType, from source: ActionSource) {
    receive(action, source)
  }

  /// Dispatches `action` from the line of this call.
  public func dispatch(
    _ action: ActionType, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt = #line, info: String? = nil
  ) {
    receive(action, ActionSource(file: file, function: function, line: line, info: info))
  }

  /// A handler of other actions: each is transformed and passed on, unless `transform` returns nil.
  public func mapAction<Other: Sendable>(
    _ transform: @escaping @Sendable (Other) -> ActionType?
  ) -> AnyActionHandler<Other> {
    AnyActionHandler<Other> { [receive] other, source in
      if let action = transform(other) { receive(action, source) }
    }
  }
}
