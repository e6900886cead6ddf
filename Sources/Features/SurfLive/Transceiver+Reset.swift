public import FoundationEssentials
internal import JSONTree
internal import Redaction
internal import SurfNetwork
internal import SurfWire
internal import ValueCoding

extension Transceiver {
  /// A state that a viewer wants the program to be in.
  public struct Reset: Equatable, Sendable {
    /// The bytes as they were recorded; `nil` for the state at the start.
    ///
    /// In the place of what is redacted they have the values that were recorded last. Whoever does
    /// not read them with `state(as:)` must see to it that none of these comes to where it is told.
    public let state: Data?
    /// The content type of the bytes; empty if there are none.
    public let contentType: String
    /// The name of the viewer that asks: to show, not to trust, because nothing verifies it.
    public let viewerName: String
    private let coder: ValueCoder
    /// The state, if the app's own values are in it.
    fileprivate let filled: LiveValue?

    init(_ incoming: IncomingReset) {
      self.init(incoming, state: incoming.state.map { Data($0.bytes) }, filled: nil)
    }

    /// With the app's own values in the place of marks.
    fileprivate init(
      _ incoming: IncomingReset, over live: @autoclosure () -> LiveValue?
    ) throws(UnfilledMark) {
      let bytes = incoming.state?.bytes
      let filled = try bytes.flatMap { MarkedState($0) }?.filled(from: live())
      let state = filled.map { $0.clear.bytes() } ?? bytes
      self.init(incoming, state: state.map { Data($0) }, filled: filled)
    }

    private init(_ incoming: IncomingReset, state: Data?, filled: LiveValue?) {
      coder = .current
      self.state = state
      self.filled = filled
      contentType = incoming.state?.type ?? ""
      viewerName = incoming.viewerName
    }

    /// The state that the bytes describe, as the configuration's `coding` wrote it; `nil` for the
    /// state at the start.
    ///
    /// It throws if a redacted value would be told in what was read, where that is `Encodable`.
    public func state<State: Decodable>(as type: State.Type) throws -> State? {
      try state.map { data in
        do {
          return try checked(coder.decodeStrictly(type, from: data))
        } catch {
          guard !(error is UnfilledMark), let fault = syntaxError(in: data) else { throw error }
          throw DecodingError.dataCorrupted(
            DecodingError.Context(codingPath: [], debugDescription: fault, underlyingError: error))
        }
      }
    }

    /// Where the app is once it has obeyed.
    fileprivate var live: LiveState {
      if let filled { return .restored(filled) }
      return state.map(LiveState.brought) ?? .unknown
    }

    private func checked<State>(_ state: State) throws -> State {
      guard let filled, let encodable = state as? any Encodable else { return state }
      try filled.check(in: coder.json(encodable))
      return state
    }
  }

  /// Lets viewers set the state. Without a handler, or with one set only after `resume()`, viewers
  /// are told that this program takes no resets.
  ///
  /// StateSurf calls the handler on a thread of its own, one reset at a time. The reset is applied
  /// only when the handler returns; a thrown error becomes the reason of the rejection, and must
  /// leave the state unchanged. The handler must not record, or a look back adds to the history. It
  /// is kept as long as the transceiver.
  ///
  /// The handler has five seconds, as long as a viewer waits; the viewer then says that the program
  /// did not answer. The handler goes on, and when it ends, all viewers hear the result. Meanwhile
  /// at most four resets are kept; further ones, and those that have waited for five seconds, are
  /// told to try again, and are not applied.
  public func onReset(_ handler: @escaping @Sendable (Reset) throws -> Void) {
    setHandler { reset, answer in answer(Result { try handler(reset) }) }
  }

  /// The same with a handler that may wait.
  ///
  /// The handler runs in a task, which is cancelled after the five seconds; StateSurf asks the
  /// program for nothing else until the handler has returned.
  public func onReset(_ handler: @escaping @Sendable (Reset) async throws -> Void) {
    onReset(on: nil) { task, reset in
      guard task.begin() else { return false }
      try await handler(reset)
      return true
    }
  }

  /// The same on an actor, which is kept as long as the transceiver: nothing else touches its state
  /// until the handler returns.
  ///
  /// If the actor has run nothing for two seconds, the viewer hears so. The handler is not called
  /// for its reset, not even later.
  public func onReset<Owner: Actor>(
    on owner: Owner, _ handler: @escaping @Sendable (isolated Owner, Reset) throws -> Void
  ) {
    let visit: @Sendable (isolated Owner, CommandTask, Reset) throws -> Bool = {
      owner, task, reset in
      guard task.begin() else { return false }
      try handler(owner, reset)
      return true
    }
    onReset(on: ActorPulse(of: owner)) { task, reset in try await visit(owner, task, reset) }
  }

  /// The same on the main actor: `onReset(on: MainActor.self) { reset in … }`.
  public func onReset(
    on owner: MainActor.Type, _ handler: @escaping @MainActor @Sendable (Reset) throws -> Void
  ) {
    onReset(on: .main) { @MainActor task, reset in
      guard task.begin() else { return false }
      try handler(reset)
      return true
    }
  }

  /// - Parameter handler: Returns whether it began, and so whether it has an answer.
  private func onReset(
    on pulse: ActorPulse?, _ handler: @escaping @Sendable (CommandTask, Reset) async throws -> Bool
  ) {
    setHandler { reset, answer in
      let obstacle = CommandTask.run(patience: ResetQueue.patience, on: pulse) { task in
        do {
          if try await handler(task, reset) { answer(.success(())) }
        } catch {
          answer(.failure(error))
        }
      }
      if let obstacle { answer(.failure(obstacle)) }
    }
  }

  private func setHandler(
    _ decide:
      @escaping @Sendable (
        Reset, _ answer: @escaping @Sendable (Result<Void, any Error>) -> Void
      ) -> Void
  ) {
    guard let recorder else { return }
    // Not the recorder, whose reset queue keeps the handler.
    let (mailbox, ledger) = (recorder.mailbox, recorder.ledger)
    let coder = recorder.settings.coder
    recorder.resetQueue.setHandler { incoming, answer in
      guard !incoming.isCommand else { return answer(.forbidden) }
      let newest = UInt64(clamping: mailbox.counters.recordCount)
      let tellsValues = !ValueCoder.current.redactsPaths
      do throws(UnfilledMark) {
        let reset = try Reset(incoming, over: ledger.liveState.value(coder))
        decide(reset) { result in
          switch result {
          case .success:
            let row = incoming.position == .elsewhere ? mailbox.add(Entry(incoming)) : nil
            ledger.keepLive(reset.live, after: row?.ticket ?? newest)
            answer(.applied)
          case .failure(let error):
            let reason = explanation(of: error, over: reset.filled, tellsValues: tellsValues)
            answer(.rejected(reason: reason))
          }
        }
      } catch {
        answer(.rejected(reason: error.description))
      }
    }
  }
}
