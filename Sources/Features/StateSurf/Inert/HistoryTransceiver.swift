#if !Live
  public import FoundationEssentials
  public import SurfStore

  /// A store that no viewer sees: this program was built without the trait `Live`.
  public final class HistoryTransceiver<App: StateSurfable>: Sendable {
    /// The program's store, which works as any other.
    public let store: Store<App.Action, App.State>
    /// Does nothing.
    public let transceiver: Transceiver

    /// Makes the store.
    public init(
      name: String = ProcessInfo.processInfo.processName,
      configuration: Transceiver.Configuration = Transceiver.Configuration(),
      cancelsEffectsOnRestore: Bool = false
    ) {
      transceiver = Transceiver(name: name, configuration: configuration)
      store = Store(
        initial: App.State(), reducer: App.reducer, validators: App.validators,
        cancelsEffectsOnRestore: cancelsEffectsOnRestore)
    }

    /// Makes the store, with a middleware.
    public init(
      name: String = ProcessInfo.processInfo.processName,
      configuration: Transceiver.Configuration = Transceiver.Configuration(),
      middleware: sending some Middleware<App.Action, App.Action, App.State>,
      cancelsEffectsOnRestore: Bool = false
    ) {
      transceiver = Transceiver(name: name, configuration: configuration)
      store = Store(
        initial: App.State(), reducer: App.reducer, middleware: middleware,
        validators: App.validators, cancelsEffectsOnRestore: cancelsEffectsOnRestore)
    }

    /// Does nothing.
    public func resume() {}

    /// Does nothing, and waits for nothing.
    public func suspend() {}
  }
#endif
