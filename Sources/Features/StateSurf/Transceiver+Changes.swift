public import SurfStore

// For programs that change their state without actions.
extension Transceiver {
  /// Records that the program has changed its state. The row's name says which members differ from
  /// the state before: at most three, such as `changed items, total`, or a path of at most three
  /// levels, such as `changed cart.total`.
  ///
  /// It needs one line in a class with a lock, an actor, or whatever else owns the state:
  ///
  ///     actor Cart {
  ///       var state = State() { didSet { transceiver.record(changeFrom: oldValue, to: state) } }
  ///     }
  ///
  /// One owner of state per transceiver. The first change after `resume()` also records the state
  /// before it. In the task of a handler of `onReset` this does nothing, until the handler returns.
  ///
  /// Every assignment is a row, also one of an equal value. For `oldValue`, Swift copies an array
  /// that is changed in place. StateSurf's own thread parses each state to compare it.
  ///
  /// - Parameter parent: The record that led to this one, such as the request of a response.
  /// - Returns: `nil` if nothing was recorded: off, suspended, or too much is waiting.
  @discardableResult
  public func record<State: Encodable & Sendable>(
    changeFrom former: @autoclosure () -> State, to state: @autoclosure () -> State,
    parent: RecordID? = nil, file: StaticString = #fileID, line: UInt = #line
  ) -> RecordID? {
    guard let recorder = openRecorder, !ResetTask.isRunning(in: self) else { return nil }
    return recorder.record(
      changeFrom: former(), to: state(), parent: parent, at: .call(file: file, line: line))
  }

  /// Records the state of `@Observable` models of the main actor after each change, until the token
  /// is cancelled or dropped. What happens before the main actor is free again is one change; it
  /// has no parent, since several tasks may have had a part in it.
  ///
  ///     let token = transceiver.observe { Shown(items: cart.items, total: cart.total) }
  ///
  /// - Parameter state: Reads the properties, on the main actor, also while recording is suspended.
  ///   A change of a property that it does not read goes unnoticed.
  @MainActor
  public func observe<State: Encodable & Sendable>(
    file: StaticString = #fileID, line: UInt = #line, _ state: @escaping @MainActor () -> State
  ) -> Subscription {
    guard recorder != nil else { return Subscription {} }
    let observer = ModelObserver(self, state, file: file, line: line)
    return Subscription { observer.end() }
  }

  /// The same for a program that viewers may put into any state. Call it before `resume()`.
  ///
  /// - Parameter restore: Sets the properties to those of a state. For its initial state, a viewer
  ///   gets the one that `state` returns now.
  @MainActor
  public func observe<State: Codable & Sendable>(
    file: StaticString = #fileID, line: UInt = #line, _ state: @escaping @MainActor () -> State,
    restore: @escaping @MainActor (State) -> Void
  ) -> Subscription {
    guard recorder != nil else { return Subscription {} }
    let initial = state()
    let observer = ModelObserver(self, state, restore, file: file, line: line)
    recorder?.setInitial(initial)
    onReset(on: MainActor.self) { [weak observer] reset in
      let state = try reset.state(as: State.self) ?? initial
      guard let observer, observer.restore(state) else { throw NoLongerObserved("model") }
    }
    return Subscription { observer.end() }
  }
}

/// Why a viewer cannot set the state.
struct NoLongerObserved: Error, CustomStringConvertible {
  let description: String

  init(_ what: String) { description = "the program no longer observes its \(what)" }
}
