import JSONTree
import SurfControl
import SurfGateway
import SurfNetwork
import SurfTimeline
import SurfWeb
import SurfWire
import TestSupport
import Testing

/// A gateway with a Redux app, and what the network hears of it.
private final class Redux {
  let bench = Bench()
  let peer: Panel
  var app = ReduxApp()
  private(set) var guest: GuestAnnouncement?
  private var records = GuestRecords()
  private(set) var timeline = Timeline()
  private(set) var answers: [GuestAnswer] = []
  private var rows: [Record] = []

  init() {
    peer = Panel(stream: bench.open(), bench: bench)
    bench.add(peer)
    peer.begin(as: "master", watching: ["respond", "sc"])
    carry()
  }

  /// Carries frames both ways until none is left.
  func carry() {
    while true {
      let frames = app.takeFrames()
      for frame in frames { peer.transmit("log", frame) }
      take(bench.takeRequests())
      let commands = peer.takeCommands()
      for command in commands { app.hear(command) }
      if frames.isEmpty, commands.isEmpty { return }
    }
  }

  private func take(_ requests: [GatewayRequest]) {
    for request in requests {
      switch request {
      case .announce(let announcement): guest = announcement
      case .tell(_, let step):
        guard let record = records.record(step, wallTime: 0, uptime: 1 << 40) else { continue }
        timeline.append(record)
        rows.append(record)
      case .settle(_, _, let answer): answers.append(answer)
      default: break
      }
    }
  }

  func ask(_ wish: GuestRequest.Wish) {
    guard let guest else { return }
    let reset = IncomingReset(
      request: 1, viewer: ViewerID(rawValue: 1), viewerName: "ada", target: .initial, state: nil)
    bench.machine.receive(
      .asked(guest.instance, GuestRequest(reset: reset, wish: wish)), at: bench.now)
    carry()
  }

  func act(_ count: Int = 1) {
    for _ in 0..<count { app.act() }
    carry()
  }

  var names: [String] { rows.map(\.name) }

  /// The states that are part of history, in their order, as the newest revision has them.
  func states() throws -> [JSON] {
    var states: [(row: UInt64, state: JSON)] = []
    for record in rows {
      let row = record.sequence.rawValue
      if record.kind == .action {
        states.append((row, try json(timeline.state(of: record.sequence))))
      }
      guard record.kind == .revision,
        let staging = try Revision(parsing: #require(record.payload?.bytes)).staging
      else { continue }
      let known = Dictionary(uniqueKeysWithValues: states.map { ($0.row, $0.state) })
      states = try staging.items.map { item in
        (item.row, try #require(item.state ?? known[item.row]))
      }
    }
    return states.map(\.state)
  }

  /// The rows that the newest revision leaves out.
  func leftOut() throws -> Int {
    guard let record = rows.last(where: { $0.kind == .revision }) else { return 0 }
    let staging = try Revision(parsing: #require(record.payload?.bytes)).staging
    return staging?.items.count(where: \.isSkipped) ?? 0
  }

  /// Where the network believes the app to be, unless a viewer's jump has put it there.
  func newestState() throws -> JSON? {
    try rows.last { $0.movesApp }.map { try json(timeline.state(of: $0.sequence)) }
  }

  private func json(_ content: Content?) throws -> JSON {
    try JSON(parsing: String(decoding: #require(content?.bytes), as: UTF8.self))
  }
}

@Suite("Apps of Redux DevTools on the network")
struct RelayedAppTests {
  private let redux = Redux()

  @Test func `It is announced under its name, and its actions are rows with their states`() throws {
    #expect(redux.guest?.app == "Redux" && redux.guest?.travels == true)
    #expect(redux.names == [], "the initial state is told to those who ask")
    redux.act(2)
    #expect(redux.names == ["add", "add"])
    #expect(try redux.states() == Array(redux.app.history.dropFirst()))
    redux.bench.machine.receive(.closed(redux.peer.stream, .byPeer), at: .zero)
    let instance = try #require(redux.guest?.instance)
    #expect(redux.bench.takeRequests().contains(.withdraw(instance)))
  }

  @Test func `It is asked to go on when the last panel leaves`() throws {
    redux.app.hear(["type": "DISCONNECTED"])
    redux.carry()
    redux.act()
    #expect(try redux.states() == Array(redux.app.history.dropFirst()))
  }

  @Test(
    arguments: [
      (.jump(1, state: nil), ["list": [1]]), (.jump(0, state: nil), ["list": []]),
      (.command(.toggle(1, skipped: nil)), ["list": [2, 3]]),
      (.command(.move(3, before: 1)), ["list": [3, 1, 2]]),
      (.command(.move(1, before: nil)), ["list": [2, 3, 1]]),
      (.command(.commit), ["list": [1, 2, 3]]), (.command(.rollback), ["list": []]),
      (.command(.reset), ["list": []]), (.command(.sweep), ["list": [1, 2, 3]]),
      (.command(.lock(true)), ["list": [1, 2, 3]]),
      (.command(.pause(true)), ["list": [1, 2, 3]]),
      (.command(.dispatch(["type": "add", "number": 77])), ["list": [1, 2, 3, 77]]),
    ] as [(GuestRequest.Wish, JSON)])
  func `It does what viewers ask, and they hear of it`(
    _ wish: GuestRequest.Wish, _ state: JSON
  ) throws {
    redux.act(3)
    redux.ask(wish)
    #expect(redux.answers == [.done])
    #expect(redux.app.state == state)
    if case .jump = wish {
      #expect(redux.names == ["add", "add", "add"], "the answer says where it is")
    } else {
      #expect(try redux.newestState() == state)
      #expect(try redux.states() == Array(redux.app.history.dropFirst()))
    }
  }

  @Test func `What it refuses, and what no panel can ask, is refused`() {
    redux.act()
    redux.ask(.command(.dispatch("add")))
    #expect(redux.answers == [.refused("Actions must be plain objects.")])
    redux.ask(.command(.replace(ForeignHistory(committed: nil, steps: [], current: nil))))
    #expect(redux.answers.last == .refused("an app of Redux DevTools cannot do that"))
    redux.ask(.jump(9, state: nil))
    #expect(redux.answers.count == 2)
    redux.bench.advance(by: .seconds(3))
    redux.carry()
    #expect(
      redux.answers.last == .refused("the app did not say within 3 s whether it has done that"))
  }

  @Test func `A skip that is there already is not undone`() {
    redux.act(2)
    for _ in 0..<2 { redux.ask(.command(.toggle(1, skipped: true))) }
    #expect(redux.answers == [.done, .done])
    #expect(redux.app.skippedIDs == [1])
  }

  @Test func `Panels have its own frames, and not the network's as well`() {
    let panel = redux.bench.panel()
    panel.transmit("respond", ["type": "START"])
    redux.carry()
    let instance = redux.guest?.instance ?? InstanceID(high: 0, low: 0)
    let session = SessionID(rawValue: 5)
    let heartbeat = Heartbeat(
      instance: instance, app: "Redux", host: "here", processID: 7,
      contentType: "application/json", acceptsResets: true, datagramSize: 1_472)
    redux.bench.observe(.appeared(session, heartbeat))
    redux.bench.observe(.caughtUp(session))
    redux.bench.machine.receive(
      .answer(session, .answered(.rejected(reason: "?"), .initial)), at: redux.bench.now)
    redux.act()
    #expect(panel.types == ["STATE", "ACTION"])
    #expect(panel.frames.allSatisfy { $0["instanceId"] == "i" })
  }

  /// The app acts, panels press buttons of its own frames, and viewers ask by the network.
  @Test(arguments: 0..<30 as Range<UInt64>)
  func `The network has its history, whatever is pressed where`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let panel = redux.bench.panel()
    var asked = 0
    var isTold = true
    for _ in 0..<40 {
      let id = redux.app.ids.randomElement(using: &random) ?? 1
      let other = redux.app.ids.randomElement(using: &random)
      switch Int.random(in: 0..<14, using: &random) {
      case 0..<6: redux.act()
      case 6:
        panel.transmit(
          "respond",
          ["type": "DISPATCH", "action": ["type": "TOGGLE_ACTION", "id": .number(id)]])
        redux.carry()
      case 7:
        panel.transmit(
          "respond",
          ["type": "DISPATCH", "action": ["type": "JUMP_TO_ACTION", "actionId": .number(id)]])
        redux.carry()
      case 8:
        panel.transmit("respond", ["type": "DISCONNECTED"])
        redux.carry()
      case 9 where redux.app.ids.contains(id):
        redux.ask(.jump(id, state: nil))
        asked += 1
      case 10 where redux.app.ids.contains(id):
        redux.ask(.command(.toggle(id, skipped: nil)))
        asked += 1
      case 11 where redux.app.ids.contains(id) && other != id:
        redux.ask(.command(.move(id, before: other)))
        asked += 1
      case 12:
        redux.ask(.command(.dispatch(["type": "add", "number": .number(1_000 + asked)])))
        asked += 1
      case 13 where Int.random(in: 0..<4, using: &random) == 0:
        redux.ask(.command([.commit, .sweep, .reset].randomElement(using: &random) ?? .sweep))
        asked += 1
      default: continue
      }
      isTold = redux.answers.count == asked && redux.answers.allSatisfy { $0 == .done }
      #expect(isTold)
      #expect(try redux.states() == Array(redux.app.history.dropFirst()))
      #expect(try redux.leftOut() == redux.app.skippedIDs.count)
      guard isTold else { break }
    }
  }
}

/// An app that speaks Socket.IO to a gateway in memory, by long-polling.
private final class PollingApp {
  private static let path = "/socket.io/?EIO=4&transport=polling"
  private let bench: Bench
  private var sid = ""
  private let agent: String?

  init(_ bench: Bench, agent: String? = nil) throws {
    self.bench = bench
    self.agent = agent
    sid = String(try #require(try get().firstMatch(of: #/"sid":"(\w+)"/#)?.1))
    try post("40")
    _ = try get()
  }

  /// What the gateway has for it; must not be called while there is nothing.
  func get() throws -> String {
    try ask(HTTPRequest(target: "\(Self.path)\(sid.isEmpty ? "" : "&sid=\(sid)")"))
  }

  func post(_ packet: String) throws {
    var request = HTTPRequest(method: "POST", target: "\(Self.path)&sid=\(sid)")
    request.body = Array(packet.utf8)
    #expect(try ask(request) == "ok")
  }

  func log(_ frame: String) throws { try post(#"42["log",\#(frame)]"#) }

  private func ask(_ request: HTTPRequest) throws -> String {
    var request = request
    request.headers["User-Agent"] = agent
    request.headers["Host"] = "localhost:9"
    let response = try #require(try Visitor(bench).ask(request))
    return String(decoding: response.body, as: UTF8.self)
  }
}

@Suite("Apps over Socket.IO on the network")
struct PollingAppTests {
  private let bench = Bench()

  private func requests() -> (guest: GuestAnnouncement?, steps: [GuestStep], answers: [GuestAnswer])
  {
    var (guest, steps) = (GuestAnnouncement?.none, [GuestStep]())
    var answers: [GuestAnswer] = []
    for request in bench.takeRequests() {
      switch request {
      case .announce(let announcement): guest = announcement
      case .tell(_, let step): steps.append(step)
      case .settle(_, _, let answer): answers.append(answer)
      default: break
      }
    }
    return (guest, steps, answers)
  }

  private func begin(_ app: PollingApp) throws {
    try app.log(#"{"type":"INIT","payload":"{\"n\":0}","instanceId":"i","name":"Todo"}"#)
    try app.log(#"{"type":"ACTION","action":"{\"add\":1}","payload":"{\"n\":1}","instanceId":"i"}"#)
    try app.log(#"{"type":"ACTION","action":"\"clear\"","payload":"{\"n\":0}","instanceId":"i"}"#)
  }

  private func request(_ wish: GuestRequest.Wish) -> GuestRequest {
    GuestRequest(
      reset: IncomingReset(
        request: 1, viewer: ViewerID(rawValue: 1), viewerName: "ada", target: .initial,
        state: nil), wish: wish)
  }

  @Test func `What it says are its steps`() throws {
    try begin(try PollingApp(bench))
    let (guest, steps, _) = requests()
    #expect(guest?.app == "Todo")
    #expect(
      steps == [
        .begin(state: ["n": 0]),
        .action(id: 1, name: "add", payload: ["add": 1], state: ["n": 1]),
        .action(id: 2, name: "clear", payload: "clear", state: ["n": 0]),
      ])
    bench.advance(by: .seconds(1))
    #expect(requests().steps.isEmpty)
  }

  @Test func `One that a gateway brings is of a network already`() throws {
    try begin(try PollingApp(bench, agent: "StateSurf-Gateway"))
    let (guest, steps, _) = requests()
    #expect(guest == nil && steps.isEmpty)
  }

  @Test(
    arguments: [
      (#"{"currentStateIndex":1,"skippedActionIds":[]}"#, .done),
      (#"{"error":"not today"}"#, .refused("not today")),
      (#"{"currentStateIndex":2}"#, nil),
    ] as [(String, GuestAnswer?)])
  func `Its acknowledgement says what came of a jump`(
    _ answer: String, _ expected: GuestAnswer?
  ) throws {
    let app = try PollingApp(bench)
    try begin(app)
    let instance = try #require(requests().guest?.instance)
    bench.advance(by: .seconds(1))
    bench.machine.receive(.asked(instance, request(.jump(1, state: "{}"))), at: bench.now)
    let asked = try app.get()
    #expect(asked.contains(#"["dispatch",{"type":"DISPATCH","action":{"type":"JUMP_TO_ACTION""#))
    let id = try #require(asked.firstMatch(of: #/42(\d+)\[/#)?.1)
    #expect(requests().answers.isEmpty)
    try app.post("43\(id)[\(answer)]")
    #expect(requests().answers == (expected.map { [$0] } ?? []))
  }

  /// `DevTools` says a refusal twice: in a frame for panels, and as the acknowledgement.
  @Test func `A refusal that is said twice refuses one request`() throws {
    let app = try PollingApp(bench)
    try begin(app)
    let instance = try #require(requests().guest?.instance)
    bench.advance(by: .seconds(1))
    for _ in 0..<2 {
      bench.machine.receive(.asked(instance, request(.jump(1, state: "{}"))), at: bench.now)
    }
    let ids = try app.get().matches(of: #/42(\d+)\[/#).map(\.output.1)
    try #require(ids.count == 2)
    try app.log(#"{"type":"ERROR","payload":"not today","instanceId":"i"}"#)
    try app.post(#"43\#(ids[0])[{"error":"not today"}]"#)
    #expect(requests().answers == [.refused("not today")])
    try app.post(#"43\#(ids[1])[{"error":"not today"}]"#)
    #expect(requests().answers == [.refused("not today")])
  }

  /// Such an app cannot mark the end of its history, or the rows that are no longer in it.
  @Test func `A history that it tells again is compared with what it told before`() throws {
    let app = try PollingApp(bench)
    try begin(app)
    bench.advance(by: .seconds(1))
    _ = requests()
    try begin(app)
    bench.advance(by: .seconds(1))
    #expect(requests().steps.isEmpty, "it is the same")
    try app.log(#"{"type":"INIT","payload":"{\"n\":0}","instanceId":"i","name":"Todo"}"#)
    try app.log(#"{"type":"ACTION","action":"{\"add\":1}","payload":"{\"n\":9}","instanceId":"i"}"#)
    bench.advance(by: .seconds(1))
    guard case .stand(let standing)? = requests().steps.first else {
      Issue.record("nothing is said of the change")
      return
    }
    #expect(standing.word == "reorder" && standing.current == 1)
    #expect(standing.items.map(\.id) == [1] && standing.items.map(\.state) == [["n": 9]])
    try app.log(#"{"type":"INIT","payload":"{\"n\":7}","instanceId":"i","name":"Todo"}"#)
    #expect(requests().steps == [.begin(state: ["n": 7])])
  }

  @Test func `Rubbish is counted and harms nobody`() throws {
    let app = try PollingApp(bench)
    try begin(app)
    for frame in [
      #"{"type":"INIT","payload":"{","instanceId":"i"}"#,
      #"{"type":"ACTION","payload":"1","instanceId":"i"}"#,
      #"{"type":"ACTION","payload":"[","action":"1","instanceId":"i"}"#,
      #"{"type":"STATE","payload":"{}","instanceId":"i"}"#,
      #"{"type":"STATE","payload":"{\"computedStates\":[],\"actionsById\":{}}","instanceId":"i"}"#,
      #"{"type":"LIFTED","liftedState":{"currentStateIndex":-9},"instanceId":"i"}"#,
      #"{"type":"LIFTED","liftedState":{"currentStateIndex":99},"instanceId":"i"}"#,
      #"{"type":"INIT","payload":"0","instanceId":"other"}"#, "[]", "7", "null",
    ] { try app.log(frame) }
    #expect(bench.machine.drops["unreadable history of an app"] == 3)
    #expect(bench.machine.drops["unreadable action of an app"] == 2)
    #expect(bench.machine.drops["second app of a connection"] == 4)
    #expect(requests().steps.count == 4, "a move to the beginning comes last")
  }
}
