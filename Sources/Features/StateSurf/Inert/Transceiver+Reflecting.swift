#if !Live
  public import SurfStore

  extension Transceiver {
    /// Records nothing, and evaluates no argument.
    @discardableResult
    public func record<Action: Sendable>(
      action: @autoclosure () -> Action, reflecting state: @autoclosure () -> any Sendable,
      parent: RecordID? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> RecordID? { nil }

    /// Records nothing, and leaves the store alone.
    public func record<Action, State>(reflecting store: Store<Action, State>) -> Subscription {
      Subscription {}
    }
  }
#endif
