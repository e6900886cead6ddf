import SurfBasics
import SurfWire

/// The app's end without sockets and clocks: one sender, and the resets that viewers send.
/// `BroadcastStation` runs it.
package struct BroadcastMachine {
  /// A command from the app, for its viewers. Viewers see the effects in the order of the commands.
  package enum Command: Sendable {
    /// The next records of the session. Their sequence numbers must be 1, 2, 3 …
    case records([Record])
    /// Answers a request, once.
    indirect case answer(IncomingReset, Outcome.Result)
    /// What viewers may request of the app, and whether it is locked or paused, for the heartbeats
    /// from the next one on.
    case control(Heartbeat.Control)
    /// What the app gave up, for the first heartbeat after the next send. Wakes no thread.
    case givenUp(Heartbeat.GivenUp)
    /// The progress of the work on a request, for its viewer when that asks again. Wakes no thread.
    indirect case share(ResetProgress.Share, of: IncomingReset)
    /// The app has entered a state that no record carries.
    case leftRecords
    /// Keep at most this many octets: half history, half live values. The newest state and unsent
    /// packets are kept in any case.
    case bound(Int)

    /// Octets to send.
    package var size: Int {
      switch self {
      case .records(let records): records.reduce(0) { $0 + $1.roughSize }
      case .answer, .control, .leftRecords: 1
      // 0, so that `flush` does not wait: the command may stay here until something is sent.
      case .givenUp, .share, .bound: 0
      }
    }

    /// Whether it may wait until something else is sent.
    package var isPatient: Bool {
      switch self {
      case .givenUp, .share: true
      case .records, .answer, .control, .leftRecords, .bound: false
      }
    }
  }

  private var sender: Sender
  private var intake: ResetIntake
  private var app = AppPosition() {
    didSet { (sender.announcement.position, sender.announcement.stamp) = (app.position, app.stamp) }
  }
  /// What viewers may request, whatever the app announces.
  private let abilities: Heartbeat.Control
  private let isDrivable: Bool
  /// The endpoints that get the outcomes of undecided requests. The intake limits their number.
  private var askers: [ResetIntake.Key: Endpoint] = [:]
  private var resets: [IncomingReset] = []
  private var audience = Audience()
  /// When a viewer last requested something.
  package private(set) var lastRequest: Duration?
  private var replies: [Transmission] = []
  /// Dropped datagrams and answers, by reason.
  package private(set) var drops: [String: Int] = [:]

  /// The notice to all viewers clips a rejection's reason to this length, to fit the smallest
  /// datagram (Protocol.md §9). The viewer that asked gets all of it.
  private static let sharedReasonSizeMax = 256
  /// Answers that wait for a blocked socket. A viewer that gets none asks again.
  private static let replyCountMax = 1_024

  /// - Parameters:
  ///   - announcement: The first heartbeat, with everything that viewers may request.
  ///   - isDrivable: Whether the app can open requests that drive it.
  ///   - random: Unpredictable, except in a test.
  package init(
    announcement: Heartbeat, limits: Sender.Configuration, isDrivable: Bool,
    random: any RandomNumberGenerator
  ) {
    self.isDrivable = isDrivable
    var (announcement, random) = (announcement, random)
    announcement.acceptsResets = announcement.acceptsResets && isDrivable
    abilities = announcement.acceptsResets ? [.takesDeltas, .takesNames] : []
    announcement.control = Self.control(
      announcement.control, abilities, isDrivable: isDrivable)
    sender = Sender(
      session: SessionID(rawValue: .random(in: 1...UInt64.max, using: &random)),
      announcement: announcement, configuration: limits, seed: random.next())
    intake = ResetIntake(acceptsResets: announcement.acceptsResets)
  }

  private static func control(
    _ wanted: Heartbeat.Control, _ abilities: Heartbeat.Control, isDrivable: Bool
  ) -> Heartbeat.Control {
    (isDrivable ? wanted : wanted.subtracting([.takesCommands, .takesActions, .hasWheel])).union(
      abilities)
  }

  package var session: SessionID { sender.session }
  package var unsentSize: Int { sender.unsentSize }
  package var progress: StreamProgress { sender.progress }
  /// Octets kept for viewers.
  package var keptSize: Int { sender.size + sender.pinnedSize + sender.valueSize }
  package var goodbye: Datagram { sender.goodbye(newestRecord: app.stamp.newestRecord) }

  /// What the app sends last: its final counts and the goodbye.
  package mutating func farewell(at now: Duration) -> Transmission {
    sender.farewell(goodbye, at: now)
  }

  package mutating func takeResets() -> [IncomingReset] { resets.takeAll() }

  /// Requests whose viewers no longer wait. Reports each once.
  package mutating func takeAbandoned(at now: Duration) -> [ResetIntake.Key] {
    intake.takeAbandoned(at: now)
  }

  /// Changes among the viewers since the last call.
  package mutating func takeAudienceNews() -> Audience.News? { audience.takeNews() }

  package var counters: Sender.Counters { sender.counters }

  // MARK: From the app

  package mutating func perform(_ commands: [Command], at now: Duration) {
    var records: [Record] = []
    for command in commands {
      switch command {
      case .records(let more):
        // Usually there is one command, and the array need not be copied.
        if records.isEmpty { records = more } else { records += more }
        app.note(more)
      case .control(let control):
        // An app that takes no resets takes no commands, whatever handlers it sets later.
        sender.announcement.control = Self.control(
          control, abilities, isDrivable: isDrivable && sender.announcement.acceptsResets)
      case .givenUp(let givenUp): sender.announcement.givenUp = givenUp
      case .leftRecords: app.leaveRecords()
      case .bound(let size): sender.bound(historySize: size / 2, valueSize: size / 2, at: now)
      case .share(let share, let reset): intake.note(share, of: reset)
      case .answer(let reset, let result):
        sender.send(records, at: now)
        records = []
        answer(reset, result, at: now)
      }
    }
    sender.send(records, at: now)
  }

  private mutating func answer(
    _ reset: IncomingReset, _ result: Outcome.Result, at now: Duration
  ) {
    if !reset.isCommand { app.decide(reset, result) }
    let position = app.position
    let asker = askers.removeValue(forKey: ResetIntake.Key(reset))
    let outcome = intake.decide(reset, result, position: position)
    guard outcome != nil || reset.isOwn else { return }
    if let asker, let outcome { reply(.outcome(outcome), to: asker) }
    // Protocol.md §11.5: the records that a command makes show what it did.
    guard !reset.isCommand else { return }
    let stamp = app.stamp
    sender.send(
      Restored(
        request: reset.request, viewer: reset.viewer, viewerName: reset.viewerName,
        position: position, newestRecord: stamp.newestRecord, moveCount: stamp.moveCount,
        outcome: result.shortened(to: Self.sharedReasonSizeMax)),
      at: now)
  }

  package mutating func ownPackets(
    from place: SequenceNumber?, sizeMax: Int, at now: Duration
  ) -> OwnPackets {
    audience.note(.own, at: now)
    return sender.ownPackets(from: place, sizeMax: sizeMax, at: now)
  }

  // MARK: From viewers

  package mutating func receive(
    _ incoming: IncomingDatagram, from endpoint: Endpoint, at now: Duration
  ) {
    switch incoming {
    case .message(let datagram): receive(datagram, from: endpoint, at: now)
    case .packets(let packets): drops.count("not for an app", packets.count)
    }
  }

  private mutating func receive(
    _ datagram: Datagram, from endpoint: Endpoint, at now: Duration
  ) {
    if case .probe(let probe) = datagram.body {
      sender.receive(probe, at: now)
      return
    }
    // Protocol.md §11.2: a datagram for another instance has no effect.
    guard datagram.session == sender.session else {
      drops.count("other session")
      return
    }
    lastRequest = now
    switch datagram.body {
    case .hello(let hello):
      audience.note(hello.viewer, at: now)
      reply(sender.welcome(hello, from: endpoint, at: now), to: endpoint)
    case .nak(let nak): sender.receive(nak, from: endpoint, at: now)
    case .windowUpdate(let update): sender.receive(update, from: endpoint, at: now)
    case .check(let check): sender.receive(check, from: endpoint, at: now)
    case .valueRequest(let request): sender.receive(request, from: endpoint, at: now)
    case .reset(let reset): receive(reset, from: endpoint, at: now)
    default: drops.count("not for an app")
    }
  }

  private mutating func receive(_ reset: Reset, from endpoint: Endpoint, at now: Duration) {
    guard sender.isProven(reset.cookie, reset.viewer, endpoint, at: now) else { return }
    let position = app.position
    let reaction = intake.receive(
      reset, position: position, newestRecord: app.stamp.newestRecord, at: now
    ) { sender.state(of: $0) }
    switch reaction {
    case .answer(let body): reply(body, to: endpoint)
    case .deliver(let incoming, let acknowledgement):
      askers[ResetIntake.Key(incoming)] = endpoint
      reply(acknowledgement, to: endpoint)
      resets.append(incoming)
    }
  }

  private mutating func reply(_ body: Datagram.Body, to endpoint: Endpoint) {
    reply(Datagram(session: sender.session, body: body), to: endpoint)
  }

  private mutating func reply(_ datagram: Datagram, to endpoint: Endpoint) {
    guard replies.count < Self.replyCountMax else { return drops.count("unanswered") }
    replies.append(Transmission(to: .peer(endpoint), [datagram.encoded()]))
  }

  // MARK: On the wire

  package mutating func nextTransmission(at now: Duration) -> Transmission? {
    intake.forgetIdle(at: now)
    return replies.isEmpty ? sender.nextTransmission(at: now) : replies.removeFirst()
  }

  package func deadline(at now: Duration) -> Duration {
    replies.isEmpty ? sender.deadline(at: now) : now
  }
}

extension Outcome.Result {
  fileprivate func shortened(to size: Int) -> Outcome.Result {
    guard case .rejected(let reason) = self else { return self }
    return .rejected(reason: reason.clipped(toUTF8: size))
  }
}
