import SurfNetwork
import SurfObserver
import SurfReceiving
import SurfTransport
import SurfWire
import TestSupport
import Testing

/// Whom a viewer shows that knows many sessions (Protocol.md §10.8, rule 3 of "Whose word counts").
@Suite struct CrowdTests {
  @Test func `programs that answered and are gone keep no new one hidden`() {
    var viewer = Viewer()
    for _ in 0..<200 {
      let app = App()
      viewer.hear(app)
      viewer.follow(app)
      viewer.hear(app, saying: app.goodbye)
    }
    #expect(viewer.shown.count == 200)
    // It is shown before it can answer.
    let brief = App(answers: false)
    viewer.hear(brief)
    #expect(viewer.shown.last == brief.session)
  }

  @Test func `among 64 that are here, a new one is shown once it has answered`() {
    var viewer = Viewer()
    for _ in 0..<64 {
      let app = App()
      viewer.hear(app)
      viewer.follow(app)
    }
    #expect(viewer.shown.count == 64)
    let mute = App(answers: false)
    viewer.hear(mute)
    viewer.hear(mute)
    #expect(viewer.shown.count == 64)
    let speaking = App()
    viewer.hear(speaking)
    #expect(viewer.shown.last == speaking.session)
  }

  @Test func `strangers that say goodbye and never answered are a crowd`() {
    var viewer = Viewer()
    for _ in 0..<200 {
      let stranger = App(answers: false)
      viewer.hear(stranger)
      viewer.hear(stranger, saying: stranger.goodbye)
    }
    #expect(viewer.shown.count == 64)
  }
}

/// An app that only answers hellos; a stranger does not even that.
private struct App {
  var machine: BroadcastMachine
  let answers: Bool
  let endpoint: Endpoint

  init(answers: Bool = true) {
    machine = BroadcastMachine(
      configuration: Broadcaster.Configuration(instance: InstanceID(high: 1, low: 2), app: "app"),
      datagramSize: Limits.datagramSizeMax)
    self.answers = answers
    endpoint = Endpoint(rawValue: machine.session.rawValue)
  }

  var session: SessionID { machine.session }
  var heartbeat: Datagram { Datagram(session: session, body: .heartbeat(.sample())) }
  var goodbye: Datagram { machine.goodbye }

  func welcomes(for hello: Datagram) -> [Datagram] {
    guard answers else { return [] }
    var machine = machine
    machine.receive(.message(hello), from: Endpoint(rawValue: 1), at: .zero)
    var welcomes: [Datagram] = []
    while let next = machine.nextTransmission(at: .zero) {
      let datagrams = next.datagrams.compactMap { try? Datagram(decoding: $0) }
      welcomes += datagrams.filter { if case .welcome = $0.body { true } else { false } }
    }
    return welcomes
  }
}

private struct Viewer: ~Copyable {
  var machine = ObserverMachine(
    viewerName: "v", repairWindow: 128, heldSizeMax: 0, viewers: Endpoint(rawValue: 1),
    random: SeededGenerator(seed: 1))
  var shown: [SessionID] = []

  mutating func hear(_ app: App, saying datagram: Datagram? = nil) {
    machine.receive(.message(datagram ?? app.heartbeat), from: app.endpoint, at: .zero)
    exchange(with: app)
  }

  mutating func follow(_ app: App) {
    machine.perform(.follow(app.session, .newestState), at: .zero)
    exchange(with: app)
  }

  private mutating func exchange(with app: App) {
    machine.advance(to: .zero)
    let sent = machine.takeTransmissions().flatMap(\.datagrams)
    for hello in sent.compactMap({ try? Datagram(decoding: $0) }) {
      guard case .hello = hello.body else { continue }
      for welcome in app.welcomes(for: hello) {
        machine.receive(.message(welcome), from: app.endpoint, at: .zero)
      }
    }
    machine.advance(to: .zero)
    machine.deliverEvents { if case .appeared(let session, _, _) = $0 { shown.append(session) } }
  }
}
