#if !Live
  public import FoundationEssentials
  public import SurfStore

  /// A store that no viewer sees, because this program was built without the trait `Live`.
  public final class HistoryTransceiver<App: StateSurfable>: Sendable {
    /// The program's store, which works as any other.
    public let store: Store<App.Action, App.State>
    /// Does nothing.
    public let transceiver: Transceiver

    /// Creates the store.
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

    /// Does nothing.
    public func resume() {}

    /// Does nothing, and waits for nothing.
    public func suspend() {}
  }

  public import FoundationEssentials
  public import SurfStore

  /// Shows the program's own store to no viewer, because this was built without the trait `Live`.
  public final class StoreTransceiver<App: StateSurfable>: Sendable {
    /// Does nothing.
    public let transceiver: Transceiver

    /// Does nothing with its arguments.
    public init(
      name: String = ProcessInfo.processInfo.processName,
      configuration: Transceiver.Configuration = Transceiver.Configuration()
    ) {
      transceiver = Transceiver(name: name, configuration: configuration)
    }

    /// Never calls the closures.
    public func attach(
      dispatch: @escaping @Sendable (App.Action) async -> Void,
      revise:
        @escaping @Sendable (_ change: @escaping @Sendable (App.State) -> App.State?) async ->
        Void
    ) {}

    /// Always true: no viewer can lock the program.
    public func admits(
      _ action: App.Action, file: StaticString = #fileID, line: UInt = #line
    ) -> Bool { true }

    /// Records nothing.
    public func record(
      _ action: App.Action, state: App.State, file: StaticString = #fileID, line: UInt = #line
    ) {}

    /// Records nothing.
    public func reject(
      _ action: App.Action, because objection: Objection, file: StaticString = #fileID,
      line: UInt = #line
    ) {}

    /// Does nothing.
    public func resume() {}

    /// Does nothing, and waits for nothing.
    public func suspend() {}
  }
#endif
