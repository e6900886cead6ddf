import SurfBasics
import SurfSeal
import SurfTransport
import SurfWire

/// The viewer's end without sockets and clocks: a receiver for each session that was heard, and the
/// resets in progress. `ObserverLoop` drives it.
///
/// Not copyable, because a driver that reads its deadline would copy all of it at each wake.
package struct ObserverMachine: ~Copyable {
  package let viewer: ViewerID
  private let viewerName: String
  private let repairWindow: Int
  private let streamWindow: Int?
  let repair: PeerRepairOptions
  /// Whether it only listens and sends nothing.
  let isSilent: Bool
  let hasKeys: Bool
  /// Whether a viewer with keys may also drive unsealed apps.
  let movesOpenApps: Bool
  let viewers: Endpoint
  /// The realms whose apps it shows.
  private let realms: RealmFilter
  /// Apps that it does not show.
  package private(set) var otherRealms = OtherRealms()
  private var random: any RandomNumberGenerator
  var sources = SourceTable()
  /// Sources with packets since the last `drain()`.
  private var undrained: [Source] = []
  var uploads: [UInt64: Upload] = [:]
  private var callCount = 0
  var callOrders: [SessionID: CallOrder] = [:]
  /// All receivers write into it as well.
  let sink = EventSink()
  private var answers: [(ResetAnswer, @Sendable (ResetAnswer) -> Void)] = []
  var transmissions: [Transmission] = []
  /// The sums of all receivers, and the machine's own drops.
  package var counters = Receiver.Counters()
  /// Until then no source can be evicted.
  var isFullUntil = Duration.zero
  /// The source that served other viewers last.
  var servingTurn = 0
  /// Sessions that share the limit for held octets.
  var holderCount = 0

  /// - Parameter repairWindow: packets that may be outstanding at a time.
  /// - Parameter streamWindow: packets that the app may send ahead; nil for `repairWindow`.
  /// - Parameter random: unpredictable, except in a test.
  package init(
    viewerName: String, repairWindow: Int, streamWindow: Int? = nil, heldSizeMax: Int,
    isSilent: Bool = false, hasKeys: Bool = false,
    movesOpenApps: Bool = false, viewers: Endpoint, realms: RealmFilter = .only(nil),
    random: any RandomNumberGenerator
  ) {
    self.random = random
    viewer = ViewerID(rawValue: self.random.next())
    self.viewerName = viewerName
    self.repairWindow = repairWindow
    self.streamWindow = streamWindow
    self.viewers = viewers
    self.realms = realms
    self.isSilent = isSilent
    self.hasKeys = hasKeys
    self.movesOpenApps = movesOpenApps
    repair = PeerRepairOptions(heldSizeMax: isSilent ? 0 : heldSizeMax, seeks: !isSilent)
  }

  // MARK: Output

  /// Passes each new event to the handler.
  package mutating func deliverEvents(to handler: (ObserverEvent) -> Void) {
    for event in sink.take() { handler(event) }
  }

  package mutating func takeAnswers() -> [(ResetAnswer, @Sendable (ResetAnswer) -> Void)] {
    answers.takeAll()
  }

  package var hasTransmissions: Bool { !transmissions.isEmpty }

  package mutating func takeTransmissions() -> [Transmission] { transmissions.takeAll() }

  // MARK: Calls

  package mutating func probe() {
    if isSilent { return }
    let probe = Datagram(session: .none, body: .probe(Probe(viewer: viewer)))
    transmissions.append(Transmission(to: .group, [probe.encoded()]))
  }

  package mutating func perform(_ command: ObserverCommand, at now: Duration) {
    switch command {
    case .follow(let session, let past):
      guard let source = sources[session] else { return }
      source.receiver.follow(past, at: now)
      drain(source)
    case .refetch(let session, let records):
      guard let source = sources[session] else {
        return sink.append(.lost(session, records))
      }
      source.receiver.refetch(records, at: now)
      drain(source)
    case .values(let session):
      guard let source = sources[session] else { return }
      source.receiver.followValues(at: now)
      drain(source)
    case .request(let request): send(request, at: now)
    }
  }

  private mutating func send(_ request: ObserverRequest, at now: Duration) {
    if isSilent { return answers.append((.observing, request.completion)) }
    let session = request.session
    guard let source = sources[session], source.receiver.isPresent else {
      answers.append((.unreachable, request.completion))
      return
    }
    if let refusal = refusal(of: source) {
      return answers.append((refusal, request.completion))
    }
    if source.receiver.cookie == nil {
      source.receiver.introduce(at: now)
      drain(source)
    }
    let takesDeltas = source.heartbeat.control.contains(.takesDeltas)
    callCount += 1
    callOrders[session, default: CallOrder()].begin(callCount)
    upload(
      request, callNumber: callCount, as: takesDeltas ? request.delta : nil,
      giveUpAt: now + request.timeout, at: now)
  }

  /// - Parameter delta: what to send instead of the whole state; nil to send that.
  private mutating func upload(
    _ request: ObserverRequest, callNumber: Int, as delta: Delta?, giveUpAt: Duration,
    at now: Duration
  ) {
    let number = random.next()
    var (content, form) = (request.content, request.isCommand ? Reset.Form.command : .state)
    var digest: Digest?
    if let delta, let state = content {
      let key = DigestKey(viewer: viewer, request: number)
      let reset = ResetDelta(delta, digest: Digest(of: state, key: key))
      digest = reset.digest
      (content, form) = (Content(type: state.type, bytes: reset.encoded), .delta)
    }
    let datagramSize = sources[request.session].map {
      Int($0.heartbeat.datagramSize)
        - ($0.key == nil ? 0 : SealedHeader.messageGrowth)
    }
    let machine = ResetUpload(
      session: request.session, viewer: viewer, viewerName: viewerName, request: number,
      target: request.target, fileName: takesNames(request.session) ? request.fileName : nil,
      state: content, form: form,
      datagramSize: datagramSize ?? Limits.datagramSizeMin, timeout: request.timeout,
      giveUpAt: giveUpAt, at: now)
    uploads[number] = Upload(
      request: request, callNumber: callNumber, deltaDigest: digest, machine: machine)
    advanceUpload(number, to: now)
  }

  // MARK: Input

  /// - Parameter key: the key that opened the datagram; nil if it was not sealed.
  package mutating func receive(
    _ incoming: IncomingDatagram, from endpoint: Endpoint, sealedUnder key: GroupKey? = nil,
    at now: Duration
  ) {
    switch incoming {
    case .message(let datagram): receive(datagram, from: endpoint, sealedUnder: key, at: now)
    case .packets(let packets): receive(packets, from: endpoint, sealedUnder: key, at: now)
    }
  }

  /// The caller takes the output later, with `drain()`: packets arrive by the thousand.
  private mutating func receive(
    _ packets: PacketTrain, from endpoint: Endpoint, sealedUnder key: GroupKey?, at now: Duration
  ) {
    // Protocol.md §10.8: ignored, not counted as dropped. An app's first packets may overtake its
    // heartbeat.
    guard let source = sources[packets.session] else { return }
    guard source.key == key else {
      return counters.drop("not sealed", count: packets.count)
    }
    if source.endpoint == endpoint {
      source.receiver.receive(packets, at: now)
    } else if !source.receiver.receive(packets, from: endpoint, at: now) {
      return counters.drop("impostor", count: packets.count)
    }
    drainRequests(source)
    if undrained.last !== source { undrained.append(source) }
  }

  private mutating func receive(
    _ datagram: Datagram, from endpoint: Endpoint, sealedUnder key: GroupKey?, at now: Duration
  ) {
    let session = datagram.session
    if case .heartbeat(let heartbeat) = datagram.body {
      receive(heartbeat, of: session, from: endpoint, sealedUnder: key, at: now)
      return
    }
    // An unknown session will be known within a heartbeat.
    guard let source = sources[session] else { return }
    guard source.key == key else { return counters.drop("not sealed") }
    if isBetweenViewers(datagram.body) {
      receiveFromViewer(datagram.body, source, from: endpoint, at: now)
      return
    }
    if case .welcome(let welcome) = datagram.body, welcome.viewer == viewer {
      settle(source, at: endpoint, now: now)
    }
    // A session has one address. Another sender that claims it is mistaken, or lies.
    guard source.endpoint == endpoint else { return counters.drop("impostor") }
    switch datagram.body {
    case .goodbye(let goodbye): source.receiver.receive(goodbye, at: now)
    case .welcome(let welcome): source.receiver.receive(welcome, at: now)
    case .proof(let proof): source.receiver.receive(proof, at: now)
    case .valueReply(let reply): source.receiver.receive(reply, at: now)
    case .resetProgress(let progress) where progress.viewer == viewer:
      if uploads[progress.request]?.machine.receive(progress, at: now) == true {
        for waiting in uploadsInOrder(to: session) { uploads[waiting]?.machine.waitAnew(from: now) }
      }
      advanceUpload(progress.request, to: now)
    case .outcome(let outcome) where outcome.viewer == viewer:
      uploads[outcome.request]?.machine.receive(outcome)
      advanceUpload(outcome.request, to: now)
    default: counters.drop("not for a viewer")
    }
    drain(source)
    // A reset may be waiting for the cookie in the welcome.
    if case .welcome = datagram.body {
      for request in uploadsInOrder(to: session) { advanceUpload(request, to: now) }
    }
  }

  private mutating func receive(
    _ heartbeat: Heartbeat, of session: SessionID, from endpoint: Endpoint,
    sealedUnder key: GroupKey?, at now: Duration
  ) {
    if let source = sources[session], source.key != key {
      guard key != nil else { return counters.drop("not sealed") }
      disown(source, at: now)
    }
    guard let source = sources[session] else {
      guard realms.shows(heartbeat.realm) else { return otherRealms.hear(session, at: now) }
      return add(session, heartbeat, from: endpoint, sealedUnder: key, at: now)
    }
    guard realms.shows(heartbeat.realm) else { return counters.drop("other realm") }
    guard source.endpoint == endpoint else {
      return hear(claim: heartbeat, of: source, from: endpoint, at: now)
    }
    // Protocol.md §5.2: a session stays in its realm.
    guard heartbeat.realm == source.heartbeat.realm else {
      return counters.drop("other realm")
    }
    source.heartbeat = heartbeat
    source.heardAt = now
    if source.isHidden, mustAnswer(source) {
      greet(source, at: endpoint)
    } else if source.isHidden {
      show(source)
    } else {
      sink.append(.heartbeat(session, heartbeat))
    }
    source.receiver.receive(heartbeat, at: now)
    drain(source)
  }

  private mutating func add(
    _ session: SessionID, _ heartbeat: Heartbeat, from endpoint: Endpoint,
    sealedUnder key: GroupKey?, at now: Duration
  ) {
    guard evictIfFull(at: now) else { return counters.drop("too many instances") }
    var receiver = Receiver(
      session: session, viewer: viewer, viewerName: viewerName, repairWindow: repairWindow,
      streamWindow: streamWindow, repair: repair, isSilent: isSilent, seed: random.next(),
      into: sink, at: now)
    receiver.receive(heartbeat, at: now)
    let source = Source(
      session: session, endpoint: endpoint, heartbeat: heartbeat, key: key, heardAt: now,
      receiver: receiver)
    source.isHidden = mustAnswer(source)
    sources.add(source)
    if source.isHidden {
      greet(source, at: endpoint)
    } else {
      show(source)
    }
    drain(source)
  }

  /// Drops everything that was received unsealed in the name of a sealed session, because none of
  /// it is the app's word (Protocol.md §18.5).
  private mutating func disown(_ source: Source, at now: Duration) {
    let session = source.session
    let wasShown = !source.isHidden
    removeSource(source)
    sink.disown(session)
    for request in uploadsInOrder(to: session) {
      guard let upload = uploads.removeValue(forKey: request) else { continue }
      finish(upload, with: .unreachable, at: now)
    }
    guard wasShown else { return }
    sink.append(.retracted(session, from: 1))
    sink.append(.gone(session, saidGoodbye: false))
  }

  mutating func removeSource(_ source: Source) {
    drain()
    sources.remove(source)
  }

  // MARK: Time

  package var deadline: Duration? {
    var resets: [Duration] = []
    for upload in uploads.values {
      guard let due = upload.machine.deadline(hasCookie: cookie(for: upload) != nil) else {
        continue
      }
      resets.append(due)
    }
    return .least(sources.values.lazy.compactMap(\.summary.deadline).min(), resets.min())
  }

  package mutating func advance(to now: Duration) {
    drain()
    for source in sources.values {
      guard let due = source.summary.deadline, due <= now else { continue }
      source.receiver.advance(to: now)
      drain(source)
    }
    for request in Array(uploads.keys) { advanceUpload(request, to: now) }
    shareHeldSize()
    keepBudget(at: now)
  }

  private mutating func advanceUpload(_ request: UInt64, to now: Duration) {
    guard var upload = uploads[request] else { return }
    let datagrams = upload.machine.advance(
      to: now, cookie: cookie(for: upload), wait: repetition(of: upload.session))
    let acknowledged = upload.machine.acknowledged
    let isStill =
      !datagrams.isEmpty
      && upload.unanswered.asked(
        oldest: SequenceNumber(UInt64(acknowledged)), arrivals: acknowledged, at: now)
    uploads[request] = upload
    if upload.isDecided { pass(upload) }
    if let source = sources[upload.session], !datagrams.isEmpty {
      transmit(datagrams, to: .peer(source.endpoint), of: source)
      if isStill {
        source.receiver.renewCookie(at: now)
        drain(source)
      }
    }
    guard let answer = upload.machine.answer else { return }
    uploads[request] = nil
    finish(upload, with: answer, at: now)
  }

  private mutating func finish(_ upload: Upload, with answer: ResetAnswer, at now: Duration) {
    switch answer {
    case .answered(.unavailable, _) where upload.deltaDigest != nil,
      .answered(.mismatch, _) where upload.deltaDigest != nil:
      // Protocol.md §11.8: send the whole state, as another request.
      self.upload(
        upload.request, callNumber: upload.callNumber, as: nil,
        giveUpAt: upload.machine.giveUpAt, at: now)
    case .answered(.applied, let position) where isOther(upload):
      pass(upload)
      answers.append((.answered(.mismatch, position), upload.request.completion))
    case .answered, .timedOut, .unreachable, .observing, .tooLarge, .noState,
      .notSealed, .watchKeyOnly:
      pass(upload)
      answers.append((answer, upload.request.completion))
    }
  }

  /// Nil if no app is there to send to, or if another request goes first.
  private func cookie(for upload: Upload) -> Cookie? {
    guard let source = sources[upload.session],
      source.receiver.isPresent, isNext(upload)
    else { return nil }
    return source.receiver.cookie
  }

  /// Takes the output of receivers that packets arrived for.
  private mutating func drain() {
    for source in undrained { drain(source) }
    undrained.removeAll(keepingCapacity: true)
  }

  mutating func drain(_ source: Source) {
    drainRequests(source)
    summarize(source)
  }

  private mutating func drainRequests(_ source: Source) {
    drainLocalRequests(source)
    // Taken without a check first: reading would copy the receiver.
    let requests = source.receiver.takeRequests()
    guard !requests.isEmpty else { return }
    transmit(requests, to: .peer(source.endpoint), of: source)
  }
}
