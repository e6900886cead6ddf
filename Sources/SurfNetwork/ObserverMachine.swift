import SurfTransport
import SurfWire

/// The viewer's end without sockets and clocks: a receiver for each session heard of, and the
/// resets on their way.
struct ObserverMachine {
  private struct Source {
    var endpoint: Endpoint
    var heartbeat: Heartbeat
    var receiver: Receiver
  }

  private struct Upload {
    var session: SessionID
    var machine: ResetUpload
    var completion: @Sendable (ResetAnswer) -> Void
  }

  private let viewer: ViewerID
  private let viewerName: String
  private let repairWindow: Int
  private var random = SystemRandomNumberGenerator()
  private var sources: [SessionID: Source] = [:]
  private var uploads: [UInt64: Upload] = [:]
  private var events: [ObserverEvent] = []
  private var answers: [(ResetAnswer, @Sendable (ResetAnswer) -> Void)] = []
  private var transmissions: [Transmission] = []
  private var counts = NetworkCounters()

  /// Instances that are kept track of. Beyond, the longest gone is forgotten, then newcomers are
  /// ignored: a flood of invented sessions takes no more memory than this.
  private static let sourceCountMax = 256

  init(viewerName: String, repairWindow: Int) {
    viewer = ViewerID(rawValue: random.next())
    self.viewerName = viewerName
    self.repairWindow = repairWindow
  }

  // MARK: Output

  mutating func takeEvents() -> [ObserverEvent] {
    defer { events = [] }
    return events
  }

  mutating func takeAnswers() -> [(ResetAnswer, @Sendable (ResetAnswer) -> Void)] {
    defer { answers = [] }
    return answers
  }

  mutating func takeTransmissions() -> [Transmission] {
    defer { transmissions = [] }
    return transmissions
  }

  func addCounters(to counters: inout NetworkCounters) {
    counters.drops.merge(counts.drops, uniquingKeysWith: +)
    for source in sources.values {
      let more = source.receiver.counters
      counters.repairsReceived += more.repairsReceived
      counters.naksSent += more.naksSent
      counters.duplicates += more.duplicates
      counters.recordsLost += more.recordsLost
      counters.drops.merge(more.drops, uniquingKeysWith: +)
    }
  }

  // MARK: Calls

  mutating func probe() {
    let probe = Datagram(session: .none, body: .probe(Probe(viewer: viewer)))
    transmissions.append(Transmission(to: .group, [probe.encoded()]))
  }

  mutating func perform(_ command: ObserverInbox.Command, at now: Duration) {
    switch command {
    case .follow(let session, let wish):
      sources[session]?.receiver.follow(wish, at: now)
      drain(session)
    case .request(let request): send(request, at: now)
    }
  }

  private mutating func send(_ request: ObserverInbox.Request, at now: Duration) {
    let session = request.session
    guard let source = sources[session], source.receiver.isPresent else {
      answers.append((.unreachable, request.completion))
      return
    }
    if source.receiver.cookie == nil {
      sources[session]?.receiver.introduce(at: now)
      drain(session)
    }
    let upload = ResetUpload(
      session: session, viewer: viewer, viewerName: viewerName,
      request: random.next(), target: request.target, state: request.content,
      isCommand: request.isCommand, datagramSize: Int(source.heartbeat.datagramSize),
      timeout: request.timeout, at: now)
    uploads[upload.request] = Upload(
      session: session, machine: upload, completion: request.completion)
    advanceUpload(upload.request, to: now)
  }

  // MARK: Input

  mutating func receive(_ datagram: Datagram, from endpoint: Endpoint, at now: Duration) {
    let session = datagram.session
    if case .heartbeat(let heartbeat) = datagram.body {
      receive(heartbeat, of: session, from: endpoint, at: now)
      return
    }
    // Who was never heard of will be, within a heartbeat.
    guard let known = sources[session]?.endpoint else { return counts.drop("unknown session") }
    // A session lives at one address; another one that claims it is mistaken, or lies.
    guard known == endpoint else { return counts.drop("impostor") }
    switch datagram.body {
    case .data(let packet): sources[session]?.receiver.receive(packet, at: now)
    case .goodbye(let goodbye): sources[session]?.receiver.receive(goodbye, at: now)
    case .welcome(let welcome): sources[session]?.receiver.receive(welcome, at: now)
    case .resetProgress(let progress) where progress.viewer == viewer:
      uploads[progress.request]?.machine.receive(progress, at: now)
      advanceUpload(progress.request, to: now)
    case .outcome(let outcome) where outcome.viewer == viewer:
      uploads[outcome.request]?.machine.receive(outcome)
      advanceUpload(outcome.request, to: now)
    default: counts.drop("not for a viewer")
    }
    drain(session)
    // A welcome brings the cookie that a reset may be waiting for.
    if case .welcome = datagram.body {
      let waiting = uploads.filter { $0.value.session == session }.map(\.key)
      for request in waiting { advanceUpload(request, to: now) }
    }
  }

  private mutating func receive(
    _ heartbeat: Heartbeat, of session: SessionID, from endpoint: Endpoint, at now: Duration
  ) {
    guard let source = sources[session] else {
      guard makeRoom() else { return counts.drop("too many instances") }
      var receiver = Receiver(
        session: session, viewer: viewer, viewerName: viewerName, repairWindow: repairWindow,
        seed: random.next(), at: now)
      receiver.receive(heartbeat, at: now)
      sources[session] = Source(endpoint: endpoint, heartbeat: heartbeat, receiver: receiver)
      events.append(.appeared(session, heartbeat))
      return
    }
    if source.endpoint != endpoint {
      // After a pause an app comes back with a socket of its own choice.
      guard !source.receiver.isPresent else { return counts.drop("impostor") }
      sources[session]?.endpoint = endpoint
    }
    sources[session]?.heartbeat = heartbeat
    sources[session]?.receiver.receive(heartbeat, at: now)
    events.append(.heartbeat(session, heartbeat))
    drain(session)
  }

  private mutating func makeRoom() -> Bool {
    guard sources.count >= Self.sourceCountMax else { return true }
    let gone = sources.first { !$0.value.receiver.isPresent && !$0.value.receiver.isFollowing }
    guard let gone else { return false }
    sources[gone.key] = nil
    return true
  }

  // MARK: Time

  var deadline: Duration? {
    let receivers = sources.values.compactMap(\.receiver.deadline)
    let resets = uploads.values.compactMap { upload in
      upload.machine.deadline(hasCookie: sources[upload.session]?.receiver.cookie != nil)
    }
    return (receivers + resets).min()
  }

  mutating func advance(to now: Duration) {
    let due = sources.compactMap { session, source in
      source.receiver.deadline.map { $0 <= now } == true ? session : nil
    }
    for session in due {
      sources[session]?.receiver.advance(to: now)
      drain(session)
    }
    for request in Array(uploads.keys) { advanceUpload(request, to: now) }
  }

  private mutating func advanceUpload(_ request: UInt64, to now: Duration) {
    guard var upload = uploads[request] else { return }
    let source = sources[upload.session]
    let datagrams = upload.machine.advance(to: now, cookie: source?.receiver.cookie)
    uploads[request] = upload
    if let source, !datagrams.isEmpty {
      transmissions.append(Transmission(to: .peer(source.endpoint), datagrams.map { $0.encoded() }))
    }
    guard let answer = upload.machine.answer else { return }
    uploads[request] = nil
    switch answer {
    case .answered(let result, let position):
      answers.append((.answered(result, position), upload.completion))
    case .timedOut: answers.append((.timedOut, upload.completion))
    }
  }

  private mutating func drain(_ session: SessionID) {
    guard let endpoint = sources[session]?.endpoint else { return }
    let requests = sources[session]?.receiver.takeRequests() ?? []
    if !requests.isEmpty {
      transmissions.append(Transmission(to: .peer(endpoint), requests.map { $0.encoded() }))
    }
    for output in sources[session]?.receiver.takeOutputs() ?? [] {
      switch output {
      case .record(let record): events.append(.record(session, record))
      case .restored(let restored): events.append(.restored(session, restored))
      case .lost(let range): events.append(.lost(session, range))
      case .caughtUp: events.append(.caughtUp(session))
      case .gone(let saidGoodbye): events.append(.gone(session, saidGoodbye: saidGoodbye))
      case .returned: break
      }
    }
  }
}
