import JSONTree
import SurfRelay
import SurfWeb
import Testing

/// The texts that pass between an app and its relay, in order and byte for byte.
@Suite("An app at a relay")
struct RelayWireTests {
  /// The relay's end of the byte stream: only a WebSocket, for the texts are what is tested.
  private struct Relay {
    var link: RelayLink
    private var socket = WebSocketConnection(role: .server)
    private(set) var ready: [String] = []
    private(set) var frames: [JSON] = []
    private(set) var forAll: [Bool] = []
    private(set) var lost: [String] = []
    private var isOpen = false

    init(_ kind: RelayAddress.Kind) {
      link = RelayLink(
        to: RelayAddress(kind: kind, host: "relay", port: 8000), random: { 0x5eed })
    }

    /// What the app said since the last call.
    mutating func heard() throws -> [String] {
      var texts: [String] = []
      for output in link.takeOutputs() {
        switch output {
        case .write(let bytes) where !isOpen:
          var parser = HTTPRequestParser()
          try parser.receive(bytes)
          let request = try #require(try parser.next())
          isOpen = true
          link.receive(try WebSocketHandshake.response(to: request).encoded(), at: .zero)
          texts = try heard()
        case .write(let bytes):
          for case .text(let text) in socket.receive(bytes) { texts.append(text) }
        case .ready(let id): ready.append(id)
        case .question(let frame, _): frames.append(frame)
        case .frame(let frame, let isForAll):
          frames.append(frame)
          forAll.append(isForAll)
        case .lost(let reason): lost.append(reason)
        case .close: break
        }
      }
      return texts
    }

    mutating func say(_ text: String, at now: Duration = .zero) throws -> [String] {
      socket.send(.text(text))
      link.receive(socket.takeOutput(), at: now)
      return try heard()
    }
  }

  private func connected() throws -> Relay {
    var relay = Relay(.socketIO)
    #expect(try relay.heard() == [])
    let open = #"0{"sid":"s","upgrades":[],"pingInterval":25000,"pingTimeout":20000}"#
    #expect(try relay.say(open) == ["40"])
    #expect(try relay.say(#"40{"sid":"n"}"#) == [])
    #expect(relay.ready == ["n"])
    return relay
  }

  @Test("the handshake is 0{…}, 40, 40{…}")
  func r91() throws { _ = try connected() }

  @Test("a ping 2 is answered by 3, and silence of both times loses the relay")
  func r92() throws {
    var relay = try connected()
    #expect(try relay.say("2") == ["3"])
    relay.link.advance(to: .seconds(44))
    _ = try relay.heard()
    #expect(relay.lost.isEmpty)
    relay.link.advance(to: .seconds(46))
    _ = try relay.heard()
    #expect(relay.lost.count == 1)
  }

  @Test(
    "INIT and ACTION are these texts",
    arguments: [
      (
        ["type": "INIT", "payload": #"{"n":1}"#, "instanceId": "a", "name": "A"],
        #"42["log",{"type":"INIT","payload":"{\"n\":1}","instanceId":"a","name":"A"}]"#
      ),
      (
        ["type": "ACTION", "action": #""increment""#, "payload": #"{"n":2}"#, "instanceId": "a"],
        #"42["log",{"type":"ACTION","action":"\"increment\"","payload":"{\"n\":2}","instanceId":"a"}]"#
      ),
    ] as [(JSON, String)])
  func r93(frame: JSON, text: String) throws {
    var relay = try connected()
    relay.link.send(frame, at: .zero)
    #expect(try relay.heard() == [text])
  }

  @Test("a dispatch is handed on as it came")
  func r95() throws {
    var relay = try connected()
    #expect(try relay.say(#"42["dispatch",{"type":"JUMP_TO_ACTION","actionId":5}]"#) == [])
    #expect(relay.frames == [["type": "JUMP_TO_ACTION", "actionId": 5]])
  }

  @Test("the same by SocketCluster, with both channels before the first word")
  func r96() throws {
    var relay = Relay(.socketCluster)
    #expect(
      try relay.heard() == [##"{"event":"#handshake","data":{"authToken":null},"cid":1}"##])
    let texts = try relay.say(
      #"{"rid":1,"data":{"id":"x1","pingTimeout":20000,"isAuthenticated":false}}"#)
    #expect(
      texts == [
        #"{"event":"login","data":"master","cid":2}"#,
        ##"{"event":"#subscribe","data":{"channel":"respond"},"cid":3}"##,
        ##"{"event":"#subscribe","data":{"channel":"sc-x1"},"cid":4}"##,
      ])
    #expect(try relay.say(#"{"rid":2,"data":"respond"}"#) == [])
    #expect(try relay.say(#"{"rid":3}"#) == [] && relay.ready == [])
    #expect(try relay.say(#"{"rid":4}"#) == [] && relay.ready == ["x1"])
    relay.link.send(["type": "START", "id": "x1"], at: .zero)
    #expect(try relay.heard() == [#"{"event":"log","data":{"type":"START","id":"x1"}}"#])
    #expect(try relay.say("") == [""])
    _ = try relay.say(##"{"event":"#publish","data":{"channel":"sc-x1","data":{"type":"START"}}}"##)
    _ = try relay.say(
      ##"{"event":"#publish","data":{"channel":"respond","data":{"type":"STOP"}}}"##)
    #expect(relay.frames == [["type": "START"], ["type": "STOP"]])
    #expect(relay.forAll == [false, true])
    // A relay of version 1 brings what came on `sc-x1` as an event, too.
    _ = try relay.say(#"{"event":"respond","data":{"type":"START"}}"#)
    #expect(relay.frames.count == 2)
  }
}
