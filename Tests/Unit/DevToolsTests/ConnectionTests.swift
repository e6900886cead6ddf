import DevTools
import JSONTree
import SurfStore
import SurfThreads
import Testing

extension WithRelay {
  /// A relay that comes and goes.
  @Suite struct ConnectionTests {
    @Test func `an IPv6 address connects, with brackets and without`() throws {
      let relay = try FakeRelay(host: "::1")
      for (index, host) in ["::1", "[::1]"].enumerated() {
        let rig = try Rig(relay: relay) {
          $0.connectionMode = .connectOnLaunch(host: host, port: relay.port)
        }
        try relay.entered(index + 1)
        try rig.waitUntilConnected()
      }
      var service = DiscoveredService.relay("a", port: 8000)
      #expect(service.webSocketURL(path: "/x") == "ws://127.0.0.1:8000/x")
      service.host = "::1"
      #expect(service.webSocketURL(path: "/x", secure: true) == "wss://[::1]:8000/x")
    }

    @Test(arguments: [FakeRelay.Kind.socketIO, .socketCluster])
    func `the token is shown, to each relay, and none if there is none`(
      kind: FakeRelay.Kind
    ) throws {
      let rig = try Rig(kind) { $0.token = "abc" }
      try rig.relay.entered(1)
      rig.relay.cut()
      try rig.relay.entered(2)
      let shown = rig.relay.log.withLock { $0.authorizations }
      let wanted = ["Bearer abc", "Bearer abc"]
      #expect(shown == wanted)
      let other = try Rig(kind)
      try other.relay.entered(1)
      let nothing = other.relay.log.withLock { $0.authorizations } == [nil]
      #expect(nothing)
    }

    @Test func `disconnect clears pause and lock, and stays disconnected`() throws {
      let rig = try Rig()
      try rig.waitUntilConnected()
      rig.tools.dispatch(.pause)
      rig.tools.dispatch(.lockChanges)
      try rig.wait { $0.isPaused && $0.isLocked }
      rig.tools.dispatch(.disconnect)
      let state = try rig.wait { $0.connectionStatus == .disconnected }
      #expect(!state.isPaused && !state.isLocked)
      let isClosed = rig.relay.log.wait(until: monotonicNow() + patience) { $0.open == 0 }
      #expect(isClosed)
      rig.dispatch(.increment)
      #expect(rig.store.state.count == 1)
      // Far longer than the wait before a retry.
      let came = rig.relay.log.wait(until: monotonicNow() + .milliseconds(300)) { $0.open > 0 }
      #expect(!came)
    }

    @Test func `a second connect closes the first stream`() throws {
      let rig = try Rig()
      try rig.waitUntilConnected()
      let other = try FakeRelay()
      rig.tools.dispatch(.connect(host: "127.0.0.1", port: other.port))
      try other.entered(1)
      let isClosed = rig.relay.log.wait(until: monotonicNow() + patience) { $0.open == 0 }
      #expect(isClosed)
      try rig.wait { $0.connectionStatus == .connected(host: "127.0.0.1", port: other.port) }
    }

    @Test(arguments: [FakeRelay.Kind.socketIO, .socketCluster])
    func `after a loss the app connects again, and the history is told anew`(
      kind: FakeRelay.Kind
    ) throws {
      let rig = try Rig(kind)
      rig.dispatch(.increment)
      _ = try rig.relay.frames(2)
      rig.relay.cut()
      try rig.relay.entered(2)
      rig.dispatch(.add(5))
      let frames = try rig.relay.frames(5).dropFirst(2)
      #expect(frames.map { $0["type"] } == ["INIT", "ACTION", "ACTION"])
      #expect(frames.map { $0["payload"] } == [state(0), state(1), state(6)])
      #expect(rig.states.withLock { states in states.contains { $0.failure != nil } })
    }

    @Test func `a relay that is not there yet is tried until it is`() throws {
      let reserved = try FakeRelay()
      let port = reserved.port
      reserved.loop.stop()
      let rig = try Rig(relay: reserved) { _ in }
      try rig.wait { $0.failure != nil }
      let relay = try FakeRelay(port: port)
      try relay.entered(1)
      try rig.waitUntilConnected()
      #expect(rig.tools.state.failure == nil)
    }

    @Test func `the official relay's protocol is spoken too`() throws {
      let rig = try Rig(.socketCluster)
      rig.dispatch(.add(3))
      let frames = try rig.relay.frames(2)
      #expect(frames[0]["type"] == "INIT")
      #expect(frames[0]["id"] == "client1")
      #expect(frames[0]["name"] == "Counter")
      let action = try JSON(parsing: try #require(frames[1]["action"]?.string))
      #expect(action["type"] == "PERFORM_ACTION")
      #expect(action["action"] == ["type": "add", "payload": 3])
      #expect(frames[1]["nextActionId"] == 2)
      #expect(frames[1]["id"] == "client1")
    }

    @Test func `Dropping it closes the connection and lets go of the store`() throws {
      let relay = try FakeRelay()
      weak var store: Store<CounterAction, Counter>?
      do {
        let rig = try Rig(relay: relay)
        store = rig.store
        try rig.waitUntilConnected()
      }
      let isClosed = relay.log.wait(until: monotonicNow() + patience) { $0.open == 0 }
      #expect(isClosed)
      let end = monotonicNow() + patience
      while store != nil, monotonicNow() < end {}
      #expect(store == nil)
    }
  }
}
