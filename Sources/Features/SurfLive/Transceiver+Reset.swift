public import FoundationEssentials
internal import JSONTree
internal import Redaction
internal import SurfNetwork
internal import SurfWire
internal import ValueCoding

extension Transceiver {
  /// A viewer's request to put the program into a state.
  public struct Reset: Equatable, Sendable {
    /// The state's bytes as they were recorded; `nil` for the initial state.
    ///
    /// Redacted values have been filled in with those recorded last. If you do not decode the bytes
    /// with `state(as:)`, make sure that no such value gets into a field that is not redacted.
    public let state: Data?
    /// The content type of the bytes; empty if there are none.
    public let contentType: String
    /// The name of the viewer. Show it, but do not trust it: nothing verifies it.
    public let viewerName: String
    private let coder: ValueCoder
    /// The state, if the app's redacted values were filled in.
    fileprivate let filled: LiveValue?

    init(_ incoming: IncomingReset) {
      self.init(incoming, state: incoming.state.map { Data($0.bytes) }, filled: nil)
    }

    /// A request with the app's own values in the place of marks.
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

    /// Decodes the state as the configuration's `coding` encodes it; `nil` for the initial state.
    ///
    /// Throws if the decoded value is `Encodable` and would show a redacted value.
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

    /// The state that the app is in after the reset.
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
  /// see that this program takes no resets.
  ///
  /// StateSurf calls the handler on a thread of its own, one reset at a time. The reset counts as
  /// applied when the handler returns. If the handler throws, it must leave the state unchanged;
  /// the error becomes the reason of the rejection. The handler must not record, or looking back
  /// would add to the history. It is kept as long as the transceiver.
  ///
  /// The viewer waits five seconds, then says that the program did not answer. The handler goes on,
  /// and when it ends, all viewers see the result. Meanwhile at most four resets wait. StateSurf
  /// does not apply further ones, or those that have waited for five seconds; their viewers are
  /// asked to try again.
  public func onReset(_ handler: @escaping @Sendable (Reset) throws -> Void) {
    setHandler { reset, answer in answer(Result { try handler(reset) }) }
  }

  /// The same with an asynchronous handler.
  ///
  /// The handler runs in a task, which is cancelled after five seconds. StateSurf makes no other
  /// request until the handler has returned.
  public func onReset(_ handler: @escaping @Sendable (Reset) async throws -> Void) {
    onReset(on: nil) { task, reset in
      guard task.begin() else { return false }
      try await handler(reset)
      return true
    }
  }

  /// The same on an actor, which is kept as long as the transceiver. Nothing else touches the
  /// actor's state until the handler returns.
  ///
  /// If the actor runs nothing for two seconds, StateSurf refuses the reset, and never calls the
  /// handler for it.
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

  /// - Parameter handler: Returns false if it did not begin, because the reset was given up.
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
    // Do not capture the recorder: its reset queue keeps this closure.
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
