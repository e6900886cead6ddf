internal import SurfControl
internal import SurfNetwork
internal import SurfThreads
internal import SurfWire
internal import ValueCoding

/// Carries out the commands of an app without a `Controller`: one that has only handlers, or shows
/// its stores as parts (`Transceiver.part`). Such an app tells its initial state, and stands still.
/// It refuses all others, because StateSurf does not know how its actions change its state.
final class PlainCommands: Sendable {
  private struct Contents: Sendable {
    var lock: (@Sendable (Bool) -> Void)?
    var isLocked = false
  }

  private let contents = Monitor(Contents())
  private let mailbox: Mailbox
  private let ledger: RecordLedger
  private let announce: @Sendable (Heartbeat.Control) -> Void

  /// - Parameter announce: tells viewers. It must not keep the app's `RecordSink` alive, whose
  ///   closures keep this.
  init(
    mailbox: Mailbox, ledger: RecordLedger,
    announce: @escaping @Sendable (Heartbeat.Control) -> Void
  ) {
    (self.mailbox, self.ledger, self.announce) = (mailbox, ledger, announce)
  }

  func setInitial(_ state: any Encodable & Sendable) {
    ledger.initial = state
    change { _ in }
  }

  func setLock(_ lock: @escaping @Sendable (Bool) -> Void) { change { $0.lock = lock } }

  private func change(_ body: (inout Contents) -> Void) {
    contents.withLock { contents in
      body(&contents)
      guard takesCommands(contents) else { return }
      // In order, because of two that come at the same time the later one counts.
      announce(contents.isLocked ? [.takesCommands, .locked] : .takesCommands)
    }
  }

  private func takesCommands(_ contents: Contents) -> Bool {
    contents.lock != nil || ledger.initial != nil
  }

  /// Called on the thread `surf-resets`, one at a time.
  func decide(_ reset: IncomingReset) -> Outcome.Result {
    guard contents.withLock({ takesCommands($0) }) else { return .forbidden }
    do {
      let command = try HistoryCommand<UInt64>(parsing: reset.state?.bytes ?? [])
      try carryOut(command)
      addRevision(command, by: reset.viewerName)
      return .applied
    } catch {
      return .rejected(reason: explanation(of: error))
    }
  }

  private func carryOut(_ command: HistoryCommand<UInt64>) throws(RefusedCommand) {
    switch command {
    case .describe:
      guard ledger.initial != nil else {
        throw RefusedCommand(
          "this program has not named its initial state; it can with 'onReset(initial:)'")
      }
    case .lock(let on):
      guard let lock = contents.withLock({ $0.lock }) else {
        throw RefusedCommand(
          "this program cannot be held; to change that, call 'transceiver.onLock { isHeld in … }'"
            + " before 'resume()' (Instrumenting.md, Restoring a state)")
      }
      lock(on)
      change { $0.isLocked = on }
    case .dispatch:
      throw RefusedCommand(
        "this program takes no actions from viewers, and nothing was changed; to take them,"
          + " it needs a HistoryTransceiver or a StoreObserver, and a Decodable Action")
    default:
      throw RefusedCommand(
        "this program cannot do this, and nothing was changed;"
          + " one with a HistoryTransceiver or a StoreObserver can")
    }
  }

  private func addRevision(_ command: HistoryCommand<UInt64>, by viewerName: String) {
    let contents = contents.withLock { $0 }
    let told = Revision(
      command: command.word, viewerName: viewerName, replay: .approximate,
      isLocked: contents.isLocked, isPaused: false)
    let initial = command == .describe ? ledger.initial : nil
    var entry = Entry(
      kind: .revision, subject: "\(command.title) by \(viewerName)", source: .none)
    entry.payload = .report { _ in
      var revision = told
      revision.initial = try initial.map { try json($0) }
      return Content(type: Piece.json, bytes: revision.json.bytes())
    }
    _ = mailbox.add(entry)
  }
}

extension Recorder {
  /// The state that the app starts in, for viewers that ask for it.
  package func setInitial(_ state: any Encodable & Sendable) { plain.setInitial(state) }

  /// Sets the handler of a viewer's wish that the app stands still, or goes on. It is kept as long
  /// as the recorder.
  package func onLock(_ handler: @escaping @Sendable (Bool) -> Void) {
    plain.setLock(handler)
    if !resetQueue.isHandled {
      resetQueue.setHandler { [plain] reset, answer in
        answer(
          reset.isCommand
            ? plain.decide(reset)
            : .rejected(
              reason: "this program takes no states; it can with 'transceiver.onReset(initial:)'"))
      }
    }
  }
}
