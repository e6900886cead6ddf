#if !Live
  public import FoundationEssentials

  extension Transceiver {
    /// A state that a viewer wants the program to be in; this build never receives one.
    public struct Reset: Equatable, Sendable {
      /// The bytes as they were recorded; `nil` for the state at the start.
      public let state: Data?
      /// The content type of the bytes; empty if there are none.
      public let contentType: String
      /// The viewer that asks.
      public let viewerName: String

      /// The state that the bytes describe.
      public func state<State: Decodable>(as type: State.Type) throws -> State? {
        try state.map { try JSONDecoder().decode(type, from: $0) }
      }
    }

    /// Never calls `handler`.
    public func onReset(_ handler: @escaping @Sendable (Reset) throws -> Void) {}

    /// Never calls `handler`.
    public func onReset(_ handler: @escaping @Sendable (Reset) async throws -> Void) {}

    /// Never calls `handler`.
    public func onReset<Owner: Actor>(
      on owner: Owner, _ handler: @escaping @Sendable (isolated Owner, Reset) throws -> Void
    ) {}

    /// Never calls `handler`.
    public func onReset(
      on owner: MainActor.Type, _ handler: @escaping @MainActor @Sendable (Reset) throws -> Void
    ) {}
  }
#endif
