import JSONTree
import SurfGateway
import SurfObserver
import SurfRelay
import SurfStreams
import SurfWire
import TestSupport
import Testing

@Suite struct InspectorRelayTests {
  private let bench = Bench.inspecting

  private var notes: [GatewayNote] {
    bench.takeRequests().compactMap { if case .note(let note) = $0 { note } else { nil } }
  }

  @Test func `what an app says reaches every front end as text, without white space`() {
    let fronts = [InspectorPeer(bench), InspectorPeer(bench, path: "/")]
    let bystander = InspectorPeer(bench)
    for front in fronts { front.subscribe() }
    let app = InspectorPeer(bench, path: "/anything")
    app.send(#" {"type":"update","id":"recipe","data":{"b":1.0,"a":[]}} "#, isBinary: true)
    app.send(#"{"level":"Event","type":"log","message":"saved","attributesJSON":null}"#)
    for front in fronts {
      #expect(
        front.heard == [
          updated("recipe", #"{"b":1.0,"a":[]}"#),
          #"{"level":"Event","type":"log","message":"saved","attributesJSON":null}"#,
        ])
    }
    #expect(bystander.heard.isEmpty && app.heard.isEmpty)
  }

  @Test func `a late front end gets the last value of every id, in the order in which they came`() {
    let app = InspectorPeer(bench)
    let other = InspectorPeer(bench)
    app.update("a", "1")
    other.update("b", "2")
    app.send(#"{"type":"log","message":"gone","level":"info"}"#)
    app.update("a", "3")
    let left = InspectorPeer(bench)
    left.update("c", "4")
    left.leave()
    let front = InspectorPeer(bench)
    front.subscribe()
    #expect(front.heard == [updated("b", "2"), updated("a", "3")])
  }

  @Test func `who is app and front end hears itself, once for each message`() {
    let both = InspectorPeer(bench)
    both.subscribe()
    both.update("a", "1")
    both.subscribe()
    #expect(both.heard == [updated("a", "1")])
    #expect(
      notes.filter { $0 == .panelConnected(from: "127.0.0.1:9", kind: "RemoteInspector") }.count
        == 1)
  }

  @Test func `rubbish is told once for each kind, and costs nobody anything`() {
    let front = InspectorPeer(bench)
    front.subscribe()
    let app = InspectorPeer(bench)
    app.update("a", "1")
    _ = notes
    for _ in 0..<3 {
      app.send("{", isBinary: true)
      app.send(#"{"type":"dance"}"#)
      app.send(#"{"type":"update","id":7}"#)
      app.send(binary: [UInt8](repeating: 32, count: InspectorLimits.messageSizeMax + 1))
      app.send(binary: [0xff, 0x00])
    }
    let reasons = notes.compactMap { note -> String? in
      if case .unreadable("127.0.0.1:9", let reason) = note { reason } else { nil }
    }
    #expect(reasons.count == 4)
    #expect(
      reasons.contains(
        #"its type is "dance"; there are "subscribe", "update" and "log""#))
    #expect(bench.machine.drops["RemoteInspector message: no JSON"] == 6)
    #expect(bench.machine.drops["RemoteInspector message: unknown type"] == 3)
    app.update("a", "2")
    #expect(front.heard == [updated("a", "1"), updated("a", "2")])
    #expect(bench.closed.isEmpty)
  }

  @Test func `many who talk rubbish are told of at twenty in a row, and then one a second`() {
    for _ in 0..<100 { InspectorPeer(bench).send("no") }
    #expect(notes.count == 20)
    bench.advance(by: .seconds(3))
    for _ in 0..<100 { InspectorPeer(bench).send("no") }
    #expect(notes.count == 3)
  }

  @Test func `without the word that serves it, nobody is let in`() {
    let bench = Bench()
    let peer = InspectorPeer(bench)
    #expect(peer.status == 404)
  }

  @Test func `panels find what they find without it`() {
    let panel = bench.panel()
    bench.appear(SessionID(rawValue: 0x11))
    #expect(panel.types == ["START", "STATE"])
  }

  // MARK: On the network

  private var announced: [GuestAnnouncement] {
    bench.takeRequests().compactMap { if case .announce(let guest) = $0 { guest } else { nil } }
  }

  @Test func `an app is announced under its program's name once it says something`() throws {
    let app = InspectorPeer(bench, agent: "My%20App/12 CFNetwork/1121.2.2 Darwin/19.3.0")
    app.subscribe()
    #expect(announced.isEmpty)
    app.update("a", "[1, 18446744073709551615]")
    app.send(#"{"type":"log","message":"hi","level":"WARN"}"#)
    app.send(#"{"type":"log","message":{"a":1},"level":"Event"}"#)
    let requests = bench.takeRequests()
    guard case .announce(let guest)? = requests.first else {
      Issue.record("\(requests)")
      return
    }
    #expect((guest.app, guest.host, guest.port) == ("My App", nil, 9))
    #expect(
      Array(requests.dropFirst()) == [
        .tell(guest.instance, .update(id: "a", data: Array("[1,18446744073709551615]".utf8))),
        .tell(guest.instance, .log(.warning, "hi", details: nil)),
        .tell(
          guest.instance, .log(.info, #"[Event] {"a":1}"#, details: Array(#"{"a":1}"#.utf8))),
      ])
    app.leave()
    #expect(bench.takeRequests().contains(.withdraw(guest.instance)))
  }

  @Test func `so many apps are announced and no more, and all reach the front ends`() {
    let front = InspectorPeer(bench)
    front.subscribe()
    let peers = (0...GatewayLimits.guestCountMax).map { _ in InspectorPeer(bench) }
    for peer in peers { peer.update("a", "1") }
    #expect(announced.count == GatewayLimits.guestCountMax)
    #expect(front.heard.count == GatewayLimits.guestCountMax + 1)
    peers[0].leave()
    InspectorPeer(bench).update("b", "2")
    #expect(announced.count == 1)
  }

  @Test func `a guest is heard from itself, and not once more from the network`() throws {
    let front = InspectorPeer(bench)
    front.subscribe()
    let app = InspectorPeer(bench)
    app.update("a", "1")
    let instance = try #require(announced.first?.instance)
    let session = SessionID(rawValue: 0x77)
    bench.observe(
      .appeared(
        session,
        Heartbeat(
          instance: instance, app: "RemoteInspector", host: "127.0.0.1", processID: 9,
          contentType: "application/json", acceptsResets: false, datagramSize: 1_472)))
    bench.value(1, "a", "1", of: session)
    #expect(front.heard == [updated("a", "1")])
  }

  // MARK: Apps of the network

  private let one = SessionID(rawValue: 0x11)
  private let other = SessionID(rawValue: 0x22)

  @Test func `values and logs of the network's apps reach front ends under the app's name`() {
    bench.appear(one)
    let front = InspectorPeer(bench)
    front.subscribe()
    bench.value(1, "view/speed", #"{"n": 1}"#, of: one)
    bench.observe(.record(one, Record(sequence: 2, kind: .log(.warning), name: "hot")))
    bench.appear(other)
    bench.value(1, "speed", "2", of: other)
    bench.value(3, "view", nil, of: one)
    #expect(
      front.takeHeard() == [
        updated("Todo/view/speed", #"{"n": 1}"#),
        #"{"type":"log","message":"hot","level":"warn"}"#,
        updated("Todo#7/speed", "2"),
        updated("Todo/view/speed", "null"),
      ])
    let late = InspectorPeer(bench)
    late.subscribe()
    #expect(late.heard == [updated("Todo#7/speed", "2")])
  }

  @Test func `the past, which comes after the present, undoes nothing`() {
    bench.appear(one)
    let front = InspectorPeer(bench)
    front.subscribe()
    bench.value(9, "a", "9", of: one)
    bench.value(8, "b", nil, of: one)
    bench.value(2, "a", "2", of: one, from: .backlog)
    bench.value(3, "b", "3", of: one, from: .backlog)
    bench.value(4, "c", "4", of: one, from: .backlog)
    bench.observe(
      .record(
        one,
        ArrivedRecord(Record(sequence: 5, kind: .log(.info), name: "old"), from: .backlog)))
    #expect(front.heard == [updated("Todo/a", "9"), updated("Todo/c", "4")])
  }

  @Test func `an app without values is shown by its state, four times a second at most`() {
    bench.appear(one)
    bench.record(1, of: one)
    let front = InspectorPeer(bench)
    front.subscribe()
    #expect(front.takeHeard() == [updated("Todo", #"{"n":1}"#)])
    for row in 2...9 { bench.record(SequenceNumber(row), of: one) }
    #expect(front.takeHeard() == [])
    bench.advance(by: GatewayLimits.inspectorInterval)
    #expect(front.takeHeard() == [updated("Todo", #"{"n":9}"#)])
    bench.advance(by: .seconds(5))
    #expect(front.takeHeard() == [], "nothing new")
    let late = InspectorPeer(bench)
    late.subscribe()
    #expect(late.heard == [updated("Todo", #"{"n":9}"#)])
    bench.value(10, "speed", "1", of: one)
    bench.record(11, of: one)
    bench.advance(by: .seconds(1))
    #expect(front.takeHeard() == [updated("Todo", "null"), updated("Todo/speed", "1")])
    bench.value(12, "speed", nil, of: one)
    bench.advance(by: .seconds(1))
    #expect(front.takeHeard() == [updated("Todo/speed", "null"), updated("Todo", #"{"n":11}"#)])
  }

  @Test func `an app that was moved is shown where it is`() {
    bench.appear(one)
    for row in 1...2 { bench.record(SequenceNumber(row), of: one) }
    let front = InspectorPeer(bench)
    front.subscribe()
    _ = front.takeHeard()
    bench.observe(
      .restored(
        one,
        Restored(
          request: 1, viewer: ViewerID(rawValue: 1), viewerName: "x", position: .record(1),
          newestRecord: 2, moveCount: 1, outcome: .applied)))
    bench.advance(by: .seconds(1))
    #expect(front.heard == [updated("Todo", #"{"n":1}"#)])
  }

  @Test func `an app that goes keeps its values at front ends, and no late one gets them`() {
    bench.appear(one)
    let front = InspectorPeer(bench)
    front.subscribe()
    bench.value(1, "a", "1", of: one)
    bench.observe(.gone(one, saidGoodbye: true))
    #expect(front.heard == [updated("Todo/a", "1")])
    let late = InspectorPeer(bench)
    late.subscribe()
    #expect(late.heard == [])
    bench.observe(.heartbeat(one, Bench.heartbeat("Todo")))
    let later = InspectorPeer(bench)
    later.subscribe()
    #expect(later.heard == [updated("Todo/a", "1")], "it is back, and says nothing twice")
  }

  // MARK: Slow ones

  @Test func `a slow front end misses what it has no room for, and gets what counts then`() {
    let slow = InspectorPeer(bench)
    let fast = InspectorPeer(bench)
    slow.subscribe()
    fast.subscribe()
    let app = InspectorPeer(bench)
    let large = "\"" + String(repeating: "x", count: 1 << 20) + "\""
    for number in 1...9 {
      app.update("a", large)
      app.update("b", "\(number)")
      bench.drain(fast.stream)
    }
    #expect(fast.heard.count == 18)
    #expect(slow.heard.count < 12)
    _ = slow.takeHeard()
    bench.drain(slow.stream)
    let told = slow.takeHeard()
    #expect(told.first?.contains("too slow") == true)
    #expect(Array(told.dropFirst()) == [updated("a", large), updated("b", "9")])
  }
}
