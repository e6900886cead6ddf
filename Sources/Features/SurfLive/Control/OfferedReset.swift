package import FoundationEssentials
internal import JSONTree
internal import Redaction
internal import SurfNetwork
internal import SurfWire
internal import ValueCoding

/// A viewer's request to put the program into a state, as a handler of `Transceiver.onReset` sees
/// it: redacted values have been filled in with those recorded last. A class, because Swift would
/// write code to copy it here and in `StateSurf`.
package final class OfferedReset: Equatable, Sendable {
  /// Nil for the initial state.
  package let state: Data?
  package let contentType: String
  package let viewerName: String
  private let coder: ValueCoder
  /// The state, if the app's redacted values were filled in.
  fileprivate let filled: AppValue?

  fileprivate init(
    _ incoming: IncomingReset, over live: @autoclosure () -> AppValue?
  ) throws(UnfilledMark) {
    let bytes = incoming.state?.bytes
    filled = try bytes.flatMap { MarkedState($0) }?.filled(from: live())
    state = (filled.map { $0.clear.bytes() } ?? bytes).map { Data($0) }
    contentType = incoming.state?.type ?? ""
    viewerName = incoming.viewerName
    coder = .current
  }

  package static func == (one: OfferedReset, other: OfferedReset) -> Bool {
    one.state == other.state && one.contentType == other.contentType
      && one.viewerName == other.viewerName && one.coder == other.coder
      && one.filled == other.filled
  }

  /// Decodes the state; nil for the initial one.
  package func state<State: Decodable>(as type: State.Type) throws -> State? {
    try state.map { data in
      do {
        return try ValueCoder.$current.withValue(coder) {
          try checked(coder.decodeStrictly(type, from: data))
        }
      } catch {
        guard !(error is UnfilledMark), let fault = syntaxError(in: data) else { throw error }
        throw DecodingError.dataCorrupted(
          DecodingError.Context(codingPath: [], debugDescription: fault, underlyingError: error))
      }
    }
  }

  /// The state that the app is in after the reset.
  ///
  /// - Parameter initial: the app's initial state, if it has said so.
  fileprivate func live(_ initial: (any Encodable & Sendable)?) -> LiveState {
    if let filled { return .restored(filled) }
    if let state { return .brought(state) }
    return initial.map { .leftOut(.value($0)) } ?? .unknown
  }

  private func checked<State>(_ state: State) throws -> State {
    guard let filled, let encodable = state as? any Encodable else { return state }
    try filled.check(in: coder.json(encodable))
    return state
  }
}

extension Recorder {
  /// Decodes JSON with the configuration's `coding`, for `StateInitializable`.
  package static func decode<Value: Decodable>(
    _ type: Value.Type, from data: Data
  ) throws -> Value {
    try ValueCoder.current.decodeStrictly(type, from: data)
  }

  /// Sets the handler of resets. It is kept as long as the recorder.
  package func onReset(_ handler: @escaping @Sendable (OfferedReset) throws -> Void) {
    setHandler { reset, answer in answer(Result { try handler(reset) }) }
  }

  /// The same with a handler that runs in a task.
  ///
  /// - Parameters:
  ///   - owner: The actor that the handler waits for. If it runs nothing, the reset is refused.
  ///   - handler: Returns false if it did not begin, because the reset was given up.
  package func onReset(
    waitingFor owner: (any Actor)?,
    _ handler: @escaping @Sendable (CommandTask, OfferedReset) async throws -> Bool
  ) {
    let pulse: ActorPulse? = owner.map { $0 === MainActor.shared ? .main : ActorPulse(of: $0) }
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
        OfferedReset, _ answer: @escaping @Sendable (Result<Void, any Error>) -> Void
      ) -> Void
  ) {
    // Do not capture the recorder: its reset queue keeps this closure.
    let (mailbox, ledger, coder, plain) = (mailbox, ledger, settings.coder, plain)
    resetQueue.setHandler { incoming, answer in
      guard !incoming.isCommand else { return answer(plain.decide(incoming)) }
      let newest = UInt64(clamping: mailbox.counters.recordCount)
      let tellsValues = !ValueCoder.current.redactsPaths
      do throws(UnfilledMark) {
        let reset = try OfferedReset(incoming, over: ledger.liveState.value(coder))
        decide(reset) { result in
          switch result {
          case .success:
            let row = incoming.position == .elsewhere ? mailbox.add(Entry(incoming)) : nil
            ledger.keepLive(reset.live(ledger.initial), after: row?.ticket ?? newest)
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
