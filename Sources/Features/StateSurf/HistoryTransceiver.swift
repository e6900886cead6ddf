public import SurfStore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A store that shows its every step to viewers. They can put it back into any state that it had.
///
///     let transceiver = HistoryTransceiver<Counter>()
///     transceiver.resume()
///     transceiver.store.dispatch(.increment)
///
/// The store works as any other, watched or not. A state that a viewer sends replaces the store's
/// in a turn of its own, and subscribers are called. It makes a row only if no row has that state.
/// Keep a reference to the transceiver: without it the store goes on, but viewers no longer see it.
public final class HistoryTransceiver<App: StateSurfable>: Sendable {
  /// The program's store; it starts in its initial state.
  public let store: Store<App.Action, App.State>
  /// Records logs, values and marks of the same program.
  public let transceiver: Transceiver
  private let subscriptions: [Subscription]

  /// Silent until `resume()`.
  ///
  /// - Parameters:
  ///   - name: What viewers call the program.
  ///   - initial: The state that the store starts in, such as one from a file. Viewers call it
  ///     row 0, and a reset returns to it. Validators do not check it.
  ///   - reducer: How an action changes the state, if that depends on values that are known only
  ///     at run time. It runs again after a skip, so the same values must lead to the same state.
  ///   - cancelsEffectsOnRestore: Whether restoring a state from a viewer cancels running effects.
  ///     They belong to another past.
  public convenience init(
    name: String = ProcessInfo.processInfo.processName, initial: App.State = App.State(),
    reducer: Reducer<App.Action, App.State> = App.reducer,
    configuration: Transceiver.Configuration = Transceiver.Configuration(),
    cancelsEffectsOnRestore: Bool = false
  ) {
    self.init(
      transceiver: Transceiver(name: name, configuration: configuration), initial: initial,
      reducer: reducer, cancelsEffectsOnRestore: cancelsEffectsOnRestore)
  }

  /// With a given transceiver, for tests.
  package init(
    transceiver: Transceiver, initial: App.State = App.State(),
    reducer: Reducer<App.Action, App.State> = App.reducer, cancelsEffectsOnRestore: Bool = false
  ) {
    self.transceiver = transceiver
    guard let recorder = transceiver.recorder else {
      store = Store(
        initial: initial, reducer: reducer, validators: App.validators,
        cancelsEffectsOnRestore: cancelsEffectsOnRestore)
      subscriptions = []
      return
    }
    let controller = recorder.controller(of: App.self, initial: initial, reducer: reducer)
    let store = Store(
      initial: initial, reducer: reducer, validators: App.validators,
      cancelsEffectsOnRestore: cancelsEffectsOnRestore
    ) { action, source in
      controller.admits(action, from: source)
    }
    self.store = store
    subscriptions = [
      store.observe { controller.record($0) },
      store.observeRejections { controller.reject($0) },
    ]
    controller.serve(store)
  }

  /// Breaks the cycle between the recorder and the handler.
  deinit { transceiver.recorder?.removeResetHandler() }

  /// Starts recording and sending. A second call is harmless.
  public func resume() { transceiver.resume() }

  /// Stops recording and sending, as `Transceiver.suspend()` does. A second call is harmless.
  public func suspend() { transceiver.suspend() }

  /// The same as `resume()`, under the name that services use.
  public func start() { resume() }

  /// What `suspend()` does, without blocking a thread: see `Transceiver.stop()`.
  public func stop() async { await transceiver.stop() }
}
