import SurfBasics
import SurfWire

/// The app's side of resets, for `BroadcastMachine`: joins the pieces, delivers each complete reset
/// once, and answers repetitions from memory (Protocol.md §11.2).
package struct ResetIntake: Sendable {
  package indirect enum Reaction: Equatable, Sendable {
    case answer(Datagram.Body)
    /// Complete, for the app to decide. Meanwhile the viewer gets `acknowledgement`.
    case deliver(IncomingReset, acknowledgement: Datagram.Body)
  }

  /// Identifies a request.
  package struct Key: Hashable, Sendable {
    let viewer: ViewerID
    let request: UInt64

    package init(_ reset: IncomingReset) {
      self.init(viewer: reset.viewer, request: reset.request)
    }

    init(viewer: ViewerID, request: UInt64) {
      self.viewer = viewer
      self.request = request
    }

    var digestKey: DigestKey { DigestKey(viewer: viewer, request: request) }
  }

  private struct Open {
    let contentType: String
    let total: Int
    let form: Reset.Form
    var pieces = ResetPieces()
    var touchedAt: Duration
  }

  /// Complete, and waiting for the app's decision.
  private struct Undecided {
    /// Octets received.
    let total: Int
    /// The digest of the state, keyed for the viewer; nil without a state.
    let digest: Digest?
    /// How much of the work is done, if the app says so.
    var share: ResetProgress.Share?
    /// When the viewer last asked for the outcome.
    var touchedAt: Duration
    /// Whether the app knows that the viewer has stopped asking.
    var isAbandoned = false
  }

  private let acceptsResets: Bool
  private var open: [Key: Open] = [:]
  private var undecided: [Key: Undecided] = [:]
  private var outcomes: [Key: Outcome] = [:]
  /// The keys of the outcomes, from the oldest on.
  private var order = Queue<Key>()

  package init(acceptsResets: Bool) { self.acceptsResets = acceptsResets }

  /// Octets of half-received states.
  package var size: Int { open.values.reduce(0) { $0 + $1.pieces.size } }

  /// - Parameter position: the app's position, for answers that do not move it.
  /// - Parameter newestRecord: the newest record that the app has made.
  /// - Parameter stateOf: a state that the app has sent, by its record; nil if it no longer has it.
  /// - Precondition: the reset's cookie is valid.
  package mutating func receive(
    _ reset: Reset, position: Position, newestRecord: SequenceNumber = .max, at now: Duration,
    stateOf: (SequenceNumber) -> Content? = { _ in nil }
  ) -> Reaction {
    let key = Key(viewer: reset.viewer, request: reset.request)
    if let outcome = outcomes[key] { return .answer(.outcome(outcome)) }
    if let waiting = undecided[key] {
      undecided[key]?.touchedAt = now
      return .answer(progress(key, received: waiting.total, share: waiting.share))
    }
    guard acceptsResets else { return refusal(key, .forbidden, position) }
    // The app would say that it is at a record that it has not made.
    if reset.form != .command, let row = reset.target.row, row > newestRecord {
      return reject(key, "this app has made no row \(row)", position)
    }
    // Dropping an undecided reset would deliver it twice, and leave its viewer without an answer.
    guard undecided.count < Limits.undecidedResetCountMax else {
      return refusal(key, .busy, position)
    }
    // A few octets can make a large state, and all states stay in memory until the app has decided.
    guard reset.form != .delta || undecided.count < Limits.openResetCountMax else {
      return refusal(key, .busy, position)
    }
    switch reset.part {
    case .initial: return deliverInitial(reset, key, position, at: now)
    case .bytes(let type, let total, let offset, let bytes):
      guard !total.isZero else { return deliverInitial(reset, key, position, at: now) }
      guard makeRoom(for: key, at: now) else { return refusal(key, .busy, position) }
      let limit = Limits.contentSizeMax
      return take(
        bytes, at: offset.clamped(to: limit), of: total.clamped(to: limit), type, reset, key,
        position, at: now, stateOf)
    }
  }

  private mutating func take(
    _ bytes: [UInt8], at offset: Int, of total: Int, _ type: String, _ reset: Reset, _ key: Key,
    _ position: Position, at now: Duration, _ stateOf: (SequenceNumber) -> Content?
  ) -> Reaction {
    if open[key] == nil {
      open[key] = Open(contentType: type, total: total, form: reset.form, touchedAt: now)
    }
    guard open[key]?.contentType == type, open[key]?.total == total, open[key]?.form == reset.form
    else {
      open[key] = nil
      return reject(key, "the pieces contradict one another", position)
    }
    open[key]?.touchedAt = now
    // In place: copying for each piece would be quadratic in the size of the state.
    open[key]?.pieces.keep(bytes, at: offset)
    let pieces = open[key]?.pieces ?? ResetPieces()
    guard pieces.contiguous.count == total else {
      return .answer(progress(key, received: pieces.contiguous.count, ahead: pieces.ranges))
    }
    return complete(
      reset, key, Content(type: type, bytes: pieces.contiguous), position, at: now, stateOf)
  }

  private mutating func complete(
    _ reset: Reset, _ key: Key, _ content: Content, _ position: Position, at now: Duration,
    _ stateOf: (SequenceNumber) -> Content?
  ) -> Reaction {
    open[key] = nil
    guard reset.form == .delta else { return deliver(reset, key, state: content, at: now) }
    do throws(ResetDelta.Failure) {
      let delta = try ResetDelta(decoding: content.bytes)
      let state = try delta.state(of: content.type, key: key.digestKey, from: stateOf)
      guard !state.bytes.isEmpty else { return deliverInitial(reset, key, position, at: now) }
      return deliver(reset, key, state: state, digest: delta.digest, at: now)
    } catch {
      return refusal(key, error == .unavailable ? .unavailable : .mismatch, position)
    }
  }

  /// No state means the initial one. A viewer that names another target has lost its state.
  private mutating func deliverInitial(
    _ reset: Reset, _ key: Key, _ position: Position, at now: Duration
  ) -> Reaction {
    guard reset.target == .initial || reset.form == .command else {
      let row = reset.target.row.map { " of row \($0)" } ?? ""
      return reject(key, "the viewer sent no state\(row)", position)
    }
    return deliver(reset, key, state: nil, at: now)
  }

  /// - Parameter digest: the digest of the state, if it is known.
  private mutating func deliver(
    _ reset: Reset, _ key: Key, state: Content?, digest: Digest? = nil, at now: Duration
  ) -> Reaction {
    var incoming = IncomingReset(
      request: reset.request, viewer: reset.viewer, viewerName: reset.viewerName,
      target: reset.target, state: state, isCommand: reset.form == .command)
    incoming.fileName = reset.fileName
    let told = incoming.isCommand ? nil : incoming.state
    undecided[key] = Undecided(
      total: reset.total, digest: told.map { digest ?? Digest(of: $0, key: key.digestKey) },
      touchedAt: now)
    return .deliver(incoming, acknowledgement: progress(key, received: reset.total))
  }

  package mutating func note(_ share: ResetProgress.Share, of reset: IncomingReset) {
    undecided[Key(reset)]?.share = share
  }

  /// Requests whose viewers no longer wait for the outcome (Protocol.md §11.2). Reports each once.
  package mutating func takeAbandoned(at now: Duration) -> [Key] {
    let keys = undecided.filter {
      !$0.value.isAbandoned && now - $0.value.touchedAt >= Timers.resetIdle
    }.keys
    for key in keys { undecided[key]?.isAbandoned = true }
    return Array(keys)
  }

  /// The app has decided. Nil if it already had, or was never given this reset.
  package mutating func decide(_ reset: IncomingReset, _ result: Outcome.Result, position: Position)
    -> Outcome?
  {
    let key = Key(reset)
    guard let decided = undecided.removeValue(forKey: key) else { return nil }
    let outcome = Outcome(
      viewer: reset.viewer, request: reset.request, position: position, result: result,
      digest: result == .applied ? decided.digest : nil)
    remember(outcome, of: key)
    return outcome
  }

  /// Protocol.md §11.2: drops resets that got no piece for 5 s.
  package mutating func forgetIdle(at now: Duration) {
    guard open.contains(where: { now - $0.value.touchedAt >= Timers.resetIdle }) else { return }
    open = open.filter { now - $0.value.touchedAt < Timers.resetIdle }
  }

  /// False if too many other resets are open, even after idle ones were dropped.
  private mutating func makeRoom(for key: Key, at now: Duration) -> Bool {
    guard open[key] == nil, open.count >= Limits.openResetCountMax else { return true }
    forgetIdle(at: now)
    return open.count < Limits.openResetCountMax
  }

  private func progress(
    _ key: Key, received: Int, ahead: [Range<Int>] = [], share: ResetProgress.Share? = nil
  ) -> Datagram.Body {
    .resetProgress(
      ResetProgress(
        viewer: key.viewer, request: key.request, received: WireCount(received), ahead: ahead,
        share: share))
  }

  private mutating func remember(_ outcome: Outcome, of key: Key) {
    outcomes[key] = outcome
    order.append(key)
    if order.count > Limits.rememberedOutcomeCountMax, let oldest = order.popFirst() {
      outcomes[oldest] = nil
    }
  }

  /// Decides here. A later result changes nothing.
  private mutating func reject(_ key: Key, _ reason: String, _ position: Position) -> Reaction {
    let outcome = Outcome(
      viewer: key.viewer, request: key.request, position: position,
      result: .rejected(reason: reason))
    remember(outcome, of: key)
    return .answer(.outcome(outcome))
  }

  private func refusal(_ key: Key, _ result: Outcome.Result, _ position: Position) -> Reaction {
    .answer(
      .outcome(
        Outcome(viewer: key.viewer, request: key.request, position: position, result: result)))
  }
}

extension Reset {
  fileprivate var total: Int {
    switch part {
    case .initial: 0
    case .bytes(_, let total, _, _): total.clamped(to: Limits.contentSizeMax)
    }
  }
}
