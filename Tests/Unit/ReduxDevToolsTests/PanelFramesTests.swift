import JSONTree
import ReduxDevTools
import SurfControl
import SurfWire
import Testing

@Suite struct PanelFramesTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let payload: String?
    let action: JSON
    let seed: String

    init(_ payload: String?, _ action: JSON, seed: String) {
      testDescription = payload ?? "no payload"
      self.payload = payload
      self.action = action
      self.seed = seed
    }
  }

  @Test(arguments: [
    Row(
      ##"{"add":{"_0":"milk"}}"##, ["type": "add", "payload": "milk"], seed: ##"{"add":"milk"}"##),
    Row(##"{"clear":{}}"##, ["type": "clear"], seed: ##""clear""##),
    Row(##""clear""##, ["type": "clear"], seed: ##""clear""##),
    Row(
      ##"{"move":{"from":1,"to":2}}"##, ["type": "move", "payload": ["from": 1, "to": 2]],
      seed: ##"{"move":{"from":1,"to":2}}"##),
    Row(
      ##"{"pair":{"_0":1,"_1":2}}"##, ["type": "pair", "payload": ["_0": 1, "_1": 2]],
      seed: ##"{"pair":{"_0":1,"_1":2}}"##),
    Row(
      ##"{"set":{"value":1}}"##, ["type": "set", "payload": ["value": 1]],
      seed: ##"{"set":{"value":1}}"##),
    Row(##"{"set":5}"##, ["type": "set", "payload": 5], seed: ##"{"set":5}"##),
    Row(##"{"set":[1]}"##, ["type": "set", "payload": [1]], seed: ##"{"set":[1]}"##),
    Row(##"{"set":{"_0":null}}"##, ["type": "set", "payload": .null], seed: ##"{"set":null}"##),
    Row(
      ##"{"type":"inc","by":2}"##, ["type": "inc", "by": 2], seed: ##"{"inc":{"by":2}}"##),
    Row(
      ##"{"a":1,"b":2}"##, ["type": "name", "payload": ["a": 1, "b": 2]],
      seed: ##"{"name":{"a":1,"b":2}}"##),
    Row(##"{}"##, ["type": "name", "payload": [:]], seed: ##"{"name":{}}"##),
    Row("7", ["type": "name", "payload": 7], seed: ##"{"name":7}"##),
    Row("[1]", ["type": "name", "payload": [1]], seed: ##"{"name":[1]}"##),
    Row("{broken", ["type": "name"], seed: ##""name""##),
    Row(nil, ["type": "name"], seed: ##""name""##),
  ])
  func `An action is what a person would type to do it again`(row: Row) throws {
    var instance = PanelInstance.loaded([], [])
    let messages = instance.receive(.action(1, "name", row.payload, state: "1"))
    let step = PanelStep(id: 1, row: 1, action: row.action, timestamp: 1_000, state: "1")
    #expect(messages == [.action(step)])
    let frame = try #require(instance.seedFrames(.action(step)).first)
    #expect(frame["action"]?.string == row.seed)
  }

  @Test(
    arguments: [
      (
        "count.add(2)", ##"{"count":{"add":2}}"##, ["type": "count.add", "payload": 2],
        ##"{"count":{"add":2}}"##
      ),
      (
        "count.add(2)", ##"{"count":{"_0":{"add":{"_0":2}}}}"##,
        ["type": "count.add", "payload": 2], ##"{"count":{"add":2}}"##
      ),
      (
        "count.inc", ##"{"count":"inc"}"##, ["type": "count.inc"], ##"{"count":"inc"}"##
      ),
      (
        "child.move(x: 1)", ##"{"child":{"action":{"move":{"x":1}}}}"##,
        ["type": "child.move", "payload": ["x": 1]], ##"{"child":{"move":{"x":1}}}"##
      ),
      ("size.small", ##"{"size":"S"}"##, ["type": "size", "payload": "S"], ##"{"size":"S"}"##),
      ("file.txt", ##"{"a":1}"##, ["type": "a", "payload": 1], ##"{"a":1}"##),
    ] as [(String, String, JSON, String)])
  func `A case inside a case is a type with a dot`(
    name: String, payload: String, action: JSON, seed: String
  ) throws {
    var instance = PanelInstance.loaded([], [])
    let messages = instance.receive(.action(1, name, payload, state: "1"))
    let step = PanelStep(id: 1, row: 1, action: action, timestamp: 1_000, state: "1")
    #expect(messages == [.action(step)])
    let frame = try #require(instance.seedFrames(.action(step)).first)
    #expect(frame["action"]?.string == seed)
  }

  @Test func `An action in another form than JSON has its name alone`() {
    var instance = PanelInstance.loaded([], [])
    var record = Record.action(1, "saved", nil, state: "1")
    record.payload = Content(type: "application/x-plist", bytes: Array("{}".utf8))
    let step = PanelStep(id: 1, row: 1, action: ["type": "saved"], timestamp: 1_000, state: "1")
    #expect(instance.receive(record) == [.action(step)])
  }

  // Relay.md, Socket.IO: these members, in this order, and nothing else.
  @Test func `What goes by Socket.IO is byte for byte as the protocol has it`() {
    let instance = PanelInstance.loaded([], Array(PanelInstance.shoppingRecords.prefix(2)))
    #expect(
      instance.seedFrames(.whole).map { $0.text() } == [
        ##"{"type":"INIT","payload":"null","instanceId":"i","name":"todo#7"}"##,
        ##"{"type":"ACTION","action":"{\"add\":\"milk\"}","payload":"[\"milk\"]","instanceId":"i"}"##,
        ##"{"type":"ACTION","action":"{\"add\":\"eggs\"}","payload":"[\"milk\",\"eggs\"]","instanceId":"i"}"##,
      ])
  }

  @Test func `Socket.IO relays hear of errors and exports, not of moves`() {
    let instance = PanelInstance.shopping()
    #expect(
      instance.seedFrames(.error("no")).map { $0.text() }
        == [##"{"type":"ERROR","payload":"no","instanceId":"i"}"##])
    #expect(
      instance.seedFrames(.export(actions: "[]", committed: "1")).map { $0.text() }
        == [##"{"type":"EXPORT","payload":"[]","committedState":"1","instanceId":"i"}"##])
    #expect(instance.seedFrames(.lifted(JSONObject())).isEmpty)
  }

  @Test func `START says who is there`() {
    #expect(
      PanelInstance.shopping().startFrame(connection: "S1").text()
        == ##"{"type":"START","id":"S1","instanceId":"i","name":"todo#7"}"##)
  }

  @Test func `ACTION has texts, and the id after its own`() {
    let step = PanelStep(id: 4, action: ["type": "add"], timestamp: 9, state: "[1]")
    #expect(
      PanelInstance.shopping().frame(.action(step), connection: "S1").text()
        == ##"{"type":"ACTION","payload":"[1]","action":"{\"type\":\"PERFORM_ACTION\",\"action\":{\"type\":\"add\"},\"timestamp\":9}","nextActionId":5,"maxAge":2002,"id":"S1","instanceId":"i","name":"todo#7"}"##
    )
  }

  @Test func `LIFTED, ERROR and EXPORT have what panels read`() {
    let instance = PanelInstance.shopping()
    let part = JSONObject([.init(key: "isPaused", value: true)])
    let end = ##""maxAge":2002,"id":"S1","instanceId":"i","name":"todo#7"}"##
    #expect(
      instance.frame(.lifted(part), connection: "S1").text()
        == ##"{"type":"LIFTED","liftedState":{"isPaused":true},"## + end)
    #expect(
      instance.frame(.error("no"), connection: "S1").text()
        == ##"{"type":"ERROR","payload":"no","## + end)
    #expect(
      instance.frame(.export(actions: "[]", committed: "{}"), connection: "S1").text()
        == ##"{"type":"EXPORT","payload":"[]","committedState":"{}","## + end)
  }

  @Test(arguments: [Heartbeat.Control(), .takesCommands, .ofStore])
  func `STATE has the history as text, and the buttons that are of use`(
    control: Heartbeat.Control
  ) throws {
    let instance = PanelInstance.shopping(control)
    let frame = instance.frame(.whole, connection: "S1")
    #expect(
      frame.keys == ["type", "payload", "libConfig", "maxAge", "id", "instanceId", "name"])
    #expect(frame["type"] == "STATE")
    #expect(frame["payload"]?.string == instance.liftedText)
    let library = try #require(frame["libConfig"])
    #expect(library["type"] == "redux", "or the lock is off, whatever the features say")
    let features = try #require(library["features"])
    #expect(features["lock"] == .bool(control.contains(.takesCommands)))
    #expect(features["dispatch"] == .bool(control.contains(.takesActions)))
    #expect(features["reorder"] == .bool(control.contains(.replays)))
    for name in ["export", "persist", "pause", "jump", "skip", "test"] {
      #expect(features[name] == true)
    }
    #expect(features["import"] == "custom", "or the panel computes states by itself")
  }
}
