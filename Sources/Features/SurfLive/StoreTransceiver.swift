public import FoundationEssentials
internal import SurfControl
internal import SurfStore
internal import SurfWire
internal import Synchronization

/// Shows every step of a store of the program's own making, and lets viewers do with its history
/// what they do with that of a `HistoryTransceiver`: exact skips, dispatch, commit, lock.
///
/// The store says three things: who may change it (`attach`), whether an action passes
/// (`admits`), and what came of it (`record`), the latter two where it changes its state and while
/// nobody else can:
///
///     func dispatch(_ action: Action) {
///       guard history.admits(action) else { return }
///       state.apply(action)
///       history.record(action, state: state)
///     }
///
/// `App.reducer` is how an action changes the state, without the effects of the store: by it the
/// actions after a skipped one are run again.
public final class StoreTransceiver<App: StateSurfable>: Sendable {
  /// Takes logs, values and marks of the same program.
  public let transceiver: Transceiver
  private let controller: Controller<App.Action, App.State>?
  private let stepCount = Atomic<UInt64>(0)

  /// Silent until `resume()`.
  ///
  /// - Parameter name: What viewers call the program.
  public convenience init(
    name: String = ProcessInfo.processInfo.processName,
    configuration: Transceiver.Configuration = Transceiver.Configuration()
  ) {
    self.init(transceiver: Transceiver(name: name, configuration: configuration))
  }

  /// With a transceiver made elsewhere, for tests.
  package init(transceiver: Transceiver) {
    self.transceiver = transceiver
    controller = transceiver.recorder.map { Controller(of: App.self, $0) }
  }

  /// Lets viewers reach the store; to be called before `resume()`, without which they are told that
  /// this program takes no resets. What is captured is kept as long as the transceiver.
  ///
  /// They are called one at a time, and an answer is given only when they have returned. After
  /// five seconds their task is cancelled.
  ///
  /// - Parameters:
  ///   - dispatch: Runs an action as if it were the program's own.
  ///   - revise: Calls its argument with the state, once, while nobody else can change that, and
  ///     replaces the state if it returns one. This must not be recorded.
  public func attach(
    dispatch: @escaping @Sendable (App.Action) async -> Void,
    revise:
      @escaping @Sendable (_ change: @escaping @Sendable (App.State) -> App.State?) async ->
      Void
  ) {
    guard let controller else { return }
    let patience = ResetDesk.patience
    let port = StorePort<App.Action, App.State> { action, done in
      Errand.run(patience: patience) { await dispatch(action) }
      done()
    } revise: { body, done in
      Errand.run(patience: patience) { await revise(body) }
      done()
    }
    transceiver.recorder?.desk.setHandler { controller.decide($0, in: port, answer: $1) }
  }

  /// Whether an action may pass; false while a viewer has locked the program, which is then told.
  public func admits(
    _ action: App.Action, file: StaticString = #fileID, line: UInt = #line
  ) -> Bool {
    controller?.admits(action, from: ActionSource(file: file.description, line: line)) ?? true
  }

  /// Records an action, and the state after it. Copies, and returns.
  public func record(
    _ action: App.Action, state: App.State, file: StaticString = #fileID, line: UInt = #line
  ) {
    guard let controller else { return }
    let source = ActionSource(file: file.description, line: line)
    let id = stepCount.add(1, ordering: .relaxed).newValue
    controller.record(Step(id: id, action: action, state: state, source: source))
  }

  /// Starts to record, and to be on the wire. Again is harmless.
  public func resume() { transceiver.resume() }

  /// Stops recording and leaves the wire, as `Transceiver.suspend()` does. Again is harmless.
  public func suspend() { transceiver.suspend() }
}
