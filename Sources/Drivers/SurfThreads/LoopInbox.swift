#if canImport(Glibc)
  /// Inputs from other threads for a loop's thread, and the loop's counters for them. The loops of
  /// `SurfObserver` and `SurfStreams` have one each.
  ///
  /// Inlinable, so that other modules specialize it for their inputs.
  @usableFromInline
  package final class LoopInbox<Input: Sendable, Counters: Sendable>: Sendable {
    @usableFromInline
    struct State: Sendable {
      @usableFromInline var inputs: [Input] = []
      @usableFromInline var isOpen = true
      @usableFromInline var counters: Counters

      init(_ counters: Counters) { self.counters = counters }
    }

    package let poller: Poller
    @usableFromInline let state: Monitor<State>

    /// Fails only when the process has no descriptors left.
    package init(_ counters: Counters) throws(ThreadError) {
      poller = try Poller()
      state = Monitor(State(counters))
    }

    @inlinable package var isOpen: Bool { state.withLock { $0.isOpen } }
    @inlinable package var counters: Counters { state.withLock { $0.counters } }

    @inlinable package func report(_ counters: Counters) {
      state.withLock { $0.counters = counters }
    }

    /// False once it is closed. Earlier inputs stay for `take()`, which not every loop calls then.
    @inlinable @discardableResult package func append(_ input: Input) -> Bool {
      let isTaken = state.withLock { state in
        if state.isOpen { state.inputs.append(input) }
        return state.isOpen
      }
      if isTaken { wake() }
      return isTaken
    }

    @inlinable package func take() -> [Input] {
      state.withLock { state in
        let inputs = state.inputs
        state.inputs = []
        return inputs
      }
    }

    package func close() {
      state.withLock { $0.isOpen = false }
      wake()
    }

    @usableFromInline func wake() { poller.wake() }
  }
#endif
