public import FoundationEssentials
public import SurfStore
internal import SurfWire

/// A store that shows its every step to viewers, and that viewers can put into any state it had.
///
///     let transceiver = HistoryTransceiver<Counter>()
///     transceiver.resume()
///     transceiver.store.dispatch(.increment)
///
/// The store works as any other, watched or not. A state that a viewer sends back replaces the
/// store's in its turn and makes no record; subscribers hear of it. Keep a reference to the
/// transceiver: without it the store goes on unseen.
public final class HistoryTransceiver<App: StateSurfable>: Sendable {
  /// The program's store; it starts in its initial state.
  public let store: Store<App.Action, App.State>
  /// Takes logs, values and marks of the same program.
  public let transceiver: Transceiver
  private let subscriptions: [Subscription]

  /// Silent until `resume()`.
  ///
  /// - Parameters:
  ///   - name: What viewers call the program.
  ///   - cancelsEffectsOnRestore: Whether a state that a viewer sends back cancels the effects that
  ///     are running, because they belong to another past.
  public convenience init(
    name: String = ProcessInfo.processInfo.processName,
    configuration: Transceiver.Configuration = Transceiver.Configuration(),
    cancelsEffectsOnRestore: Bool = false
  ) {
    self.init(
      transceiver: Transceiver(name: name, configuration: configuration),
      cancelsEffectsOnRestore: cancelsEffectsOnRestore)
  }

  /// With a transceiver made elsewhere, for tests.
  package init(transceiver: Transceiver, cancelsEffectsOnRestore: Bool = false) {
    self.transceiver = transceiver
    guard let recorder = transceiver.recorder else {
      store = Store(
        initial: App.State(), reducer: App.reducer, validators: App.validators,
        cancelsEffectsOnRestore: cancelsEffectsOnRestore)
      subscriptions = []
      return
    }
    let controller = Controller(of: App.self, recorder)
    let store = Store(
      initial: App.State(), reducer: App.reducer, validators: App.validators,
      cancelsEffectsOnRestore: cancelsEffectsOnRestore
    ) { action, source in
      controller.admits(action, from: source)
    }
    self.store = store
    subscriptions = [
      store.observe { controller.record($0) },
      store.observeRejections { controller.reject($0) },
    ]
    // Weak: the store's observer leads here already.
    recorder.resetQueue.setHandler { [weak store] request, answer in
      guard let store else { return answer(.rejected(reason: "the store is gone")) }
      controller.decide(request, in: StorePort(store), answer: answer)
    }
  }

  /// The handler leads to the recorder, and the recorder to the handler.
  deinit { transceiver.recorder?.resetQueue.removeHandler() }

  /// Starts recording and sending. A second call is harmless.
  public func resume() { transceiver.resume() }

  /// Stops recording and sending, as `Transceiver.suspend()` does. A second call is harmless.
  public func suspend() { transceiver.suspend() }
}
