public import SurfStore
internal import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Shows every step of a store that the program wrote itself. Viewers can do with its history what
/// they can with a `HistoryTransceiver`'s: exact skips, dispatch, commit, lock.
///
/// Three members connect it. `attach` lets viewers change the store. For each action, the store
/// calls `admits`, to ask whether the action may pass, and then `record`. It must call these two
/// where it changes its state, while nothing else can:
///
///     func dispatch(_ action: Action) {
///       guard history.admits(action) else { return }
///       state.apply(action)
///       history.record(action, state: state)
///     }
///
/// The reducer must change the state as the store does, without the store's effects. After a skip,
/// it runs the later actions again.
public final class StoreObserver<App: StateSurfable>: Sendable {
  /// Records logs, values and marks of the same program.
  public let transceiver: Transceiver
  private let controller: Controller<App.Action, App.State>?
  private let stepCount = Atomic<UInt64>(0)

  /// Silent until `resume()`.
  ///
  /// - Parameters:
  ///   - name: What viewers call the program.
  ///   - initial: The state that the store starts in. A reset returns to it.
  ///   - reducer: How an action changes the state, if that depends on values that are known only
  ///     at run time.
  public convenience init(
    name: String = ProcessInfo.processInfo.processName, initial: App.State = App.State(),
    reducer: Reducer<App.Action, App.State> = App.reducer,
    configuration: Transceiver.Configuration = Transceiver.Configuration()
  ) {
    self.init(
      transceiver: Transceiver(name: name, configuration: configuration), initial: initial,
      reducer: reducer)
  }

  /// With a given transceiver, for tests.
  package init(
    transceiver: Transceiver, initial: App.State = App.State(),
    reducer: Reducer<App.Action, App.State> = App.reducer
  ) {
    self.transceiver = transceiver
    controller = transceiver.recorder?.controller(of: App.self, initial: initial, reducer: reducer)
  }

  /// Breaks the cycle between the recorder and the handler.
  deinit { transceiver.recorder?.removeResetHandler() }

  /// Lets viewers change the store. Call it before `resume()`; otherwise viewers see that this
  /// program takes no resets. Captured values are kept as long as the transceiver.
  ///
  /// StateSurf calls one closure at a time, and answers the viewer when the closure has returned.
  /// After five seconds it cancels the closure's task. If the main actor runs nothing for two
  /// seconds before `admits` or the argument of `revise` is called, StateSurf refuses the request.
  /// When these are called after all, they do nothing.
  ///
  /// - Parameters:
  ///   - dispatch: Runs an action as if it were the program's own.
  ///   - revise: Calls its argument with the state, once, while nothing else can change the state.
  ///     Replaces the state if the argument returns one. Must not record that.
  public func attach(
    dispatch: @escaping @Sendable (App.Action) async -> Void,
    revise:
      @escaping @Sendable (_ change: @escaping @Sendable (App.State) -> App.State?) async ->
      Void
  ) {
    controller?.serve(dispatch: dispatch, revise: revise)
  }

  /// Whether an action may pass. While a viewer has locked the program, this returns false, and
  /// viewers see the refused action.
  public func admits(
    _ action: App.Action, file: StaticString = #fileID, line: UInt = #line
  ) -> Bool {
    guard let controller else { return true }
    return controller.begin()
      && controller.admits(action, from: ActionSource(file: file, line: line))
  }

  /// Records an action and the state after it. Copies both and returns.
  ///
  /// The action's parent is that of the current task. A store that queues actions, and works them
  /// off in another's task, keeps `Transceiver.currentParent` with each and applies it in
  /// `withParent`.
  public func record(
    _ action: App.Action, state: App.State, file: StaticString = #fileID, line: UInt = #line
  ) {
    guard let controller else { return }
    controller.begin()
    let source = ActionSource(file: file, line: line)
    let id = stepCount.add(1, ordering: .relaxed).newValue
    controller.record(Step(id: id, action: action, state: state, source: source))
  }

  /// Records that an action changed nothing, and why. Copies and returns.
  ///
  /// For a store that calls `App.validators` itself, or has other rules.
  public func reject(
    _ action: App.Action, because objection: Objection, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    let source = ActionSource(file: file, line: line)
    controller?.reject(Rejection(action: action, source: source, objection: objection))
  }

  /// Starts recording and sending. A second call is harmless.
  public func resume() { transceiver.resume() }

  /// Stops recording and sending, as `Transceiver.suspend()` does. A second call is harmless.
  public func suspend() { transceiver.suspend() }

  /// The same as `resume()`, under the name that services use.
  public func start() { resume() }

  /// What `suspend()` does, without blocking a thread: see `Transceiver.stop()`.
  public func stop() async { await transceiver.stop() }
}

/// The first name of `StoreObserver`. It said the same as `HistoryTransceiver`, which owns a store.
@available(*, deprecated, renamed: "StoreObserver")
public typealias StoreTransceiver<App: StateSurfable> = StoreObserver<App>
