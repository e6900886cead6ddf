import JSONTree
import ReduxDevTools
import SurfControl
import Testing

@Suite struct PanelCommandTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let frame: String
    let command: PanelCommand?

    init(_ name: String, _ frame: String, _ command: PanelCommand?) {
      testDescription = name
      self.frame = frame
      self.command = command
    }
  }

  // What each button of the panel sends.
  static let buttons = [
    Row("connected", ##"{"type":"START"}"##, .start),
    Row(
      "jump",
      ##"{"type":"DISPATCH","action":{"type":"JUMP_TO_ACTION","actionId":2},"instanceId":"i"}"##,
      .jump(action: 2, state: nil)),
    Row(
      "jump with the state of a panel without lifted state",
      ##"{"type":"DISPATCH","action":{"type":"JUMP_TO_ACTION","actionId":2},"state":"{\"counter\":1}","instanceId":"i"}"##,
      .jump(action: 2, state: ##"{"counter":1}"##)),
    Row(
      "jump of an old monitor",
      ##"{"type":"DISPATCH","action":{"type":"JUMP_TO_STATE","index":3},"instanceId":"i"}"##,
      .jumpToIndex(3, state: nil)),
    Row(
      "skip", ##"{"type":"DISPATCH","action":{"type":"TOGGLE_ACTION","id":1},"instanceId":"i"}"##,
      .rewrite(.toggle(1, skipped: nil))),
    Row(
      "skip with the lifted state",
      ##"{"type":"DISPATCH","action":{"type":"TOGGLE_ACTION","id":1},"state":"{\"stack\":{\"$jsan\":\"u\"}}","instanceId":"i"}"##,
      .rewrite(.toggle(1, skipped: nil))),
    Row(
      "drag",
      ##"{"type":"DISPATCH","action":{"type":"REORDER_ACTION","actionId":4,"beforeActionId":2}}"##,
      .rewrite(.move(4, before: 2))),
    Row(
      "drag to the end", ##"{"type":"DISPATCH","action":{"type":"REORDER_ACTION","actionId":4}}"##,
      .rewrite(.move(4, before: nil))),
    Row(
      "sweep", ##"{"type":"DISPATCH","action":{"type":"SWEEP"},"instanceId":"i"}"##,
      .rewrite(.sweep)),
    Row(
      "commit",
      ##"{"type":"DISPATCH","action":{"type":"COMMIT","timestamp":1760000000000},"instanceId":"i"}"##,
      .rewrite(.commit)),
    Row(
      "revert",
      ##"{"type":"DISPATCH","action":{"type":"ROLLBACK","timestamp":1760000000000},"instanceId":"i"}"##,
      .rewrite(.rollback)),
    Row(
      "reset",
      ##"{"type":"DISPATCH","action":{"type":"RESET","timestamp":1760000000000},"instanceId":"i"}"##,
      .rewrite(.reset)),
    Row(
      "stop recording",
      ##"{"type":"DISPATCH","action":{"type":"PAUSE_RECORDING","status":true},"instanceId":"i"}"##,
      .rewrite(.pause(true))),
    Row(
      "record again",
      ##"{"type":"DISPATCH","action":{"type":"PAUSE_RECORDING","status":false},"instanceId":"i"}"##,
      .rewrite(.pause(false))),
    Row(
      "lock",
      ##"{"type":"DISPATCH","action":{"type":"LOCK_CHANGES","status":true},"instanceId":"i"}"##,
      .rewrite(.lock(true))),
    Row(
      "unlock",
      ##"{"type":"DISPATCH","action":{"type":"LOCK_CHANGES","status":false},"instanceId":"i"}"##,
      .rewrite(.lock(false))),
    Row(
      "free text",
      ##"{"type":"ACTION","action":"{type:'counter/inc',by:100}","instanceId":"i"}"##,
      .dispatchText("{type:'counter/inc',by:100}")),
    Row(
      "creator",
      ##"{"type":"ACTION","action":{"name":"inc","selected":0,"args":["42"],"rest":"[]"},"instanceId":"i"}"##,
      .create(ActionCreatorCall(name: "inc", arguments: ["42"], rest: "[]"))),
    Row(
      "action as it is", ##"{"type":"ACTION","action":{"type":"inc","by":2}}"##,
      .rewrite(.dispatch(["type": "inc", "by": 2]))),
    Row(
      "file", ##"{"type":"IMPORT","state":"{\"payload\":\"[]\"}","instanceId":"i"}"##,
      .importText(##"{"payload":"[]"}"##)),
    Row(
      "file that was read already", ##"{"type":"IMPORT","state":{"computedStates":[]}}"##,
      .importState(["computedStates": []])),
    Row("export", ##"{"type":"EXPORT","instanceId":"i"}"##, .export),
    Row("old monitor asks", ##"{"type":"UPDATE"}"##, .start),
    Row("old monitor stops", ##"{"type":"STOP"}"##, .stop),
    Row("panel is gone", ##"{"type":"DISCONNECTED","id":"panel"}"##, .stop),
  ]

  // A Socket.IO relay may send the inner object bare (Relay.md, Socket.IO).
  static let bare = [
    Row("jump", ##"{"type":"JUMP_TO_ACTION","actionId":7}"##, .jump(action: 7, state: nil)),
    Row("jump by index", ##"{"type":"JUMP_TO_ACTION","index":2}"##, .jumpToIndex(2, state: nil)),
    Row("jump to a state", ##"{"type":"JUMP_TO_STATE","index":2}"##, .jumpToIndex(2, state: nil)),
    Row(
      "jump to a state by id", ##"{"type":"JUMP_TO_STATE","actionId":5}"##,
      .jump(action: 5, state: nil)),
    Row("skip", ##"{"type":"TOGGLE_ACTION","id":3}"##, .rewrite(.toggle(3, skipped: nil))),
    Row("reset", ##"{"type":"RESET"}"##, .rewrite(.reset)),
    Row(
      "import", ##"{"type":"IMPORT_STATE","nextLiftedState":{"computedStates":[]}}"##,
      .importState(["computedStates": []])),
    Row(
      "import of text", ##"{"type":"IMPORT_STATE","nextLiftedState":"{}"}"##, .importText("{}")),
  ]

  static let others = [
    Row("later word", ##"{"type":"TELEPORT"}"##, .unknown("TELEPORT")),
    Row("later button", ##"{"type":"DISPATCH","action":{"type":"FOLD"}}"##, .unknown("FOLD")),
    Row("skip of nothing", ##"{"type":"TOGGLE_ACTION"}"##, .unreadable("TOGGLE_ACTION", "id")),
    Row(
      "skip of a name", ##"{"type":"TOGGLE_ACTION","id":"1"}"##, .unreadable("TOGGLE_ACTION", "id")),
    Row(
      "skip below zero", ##"{"type":"TOGGLE_ACTION","id":-1}"##, .unreadable("TOGGLE_ACTION", "id")),
    Row(
      "drag of nothing", ##"{"type":"REORDER_ACTION"}"##, .unreadable("REORDER_ACTION", "actionId")),
    Row("action without one", ##"{"type":"ACTION"}"##, .unreadable("ACTION", "action")),
    Row(
      "action that is a number", ##"{"type":"ACTION","action":1}"##, .unreadable("ACTION", "action")
    ),
    Row("file without text", ##"{"type":"IMPORT"}"##, .unreadable("IMPORT", "state")),
    Row(
      "import of nothing", ##"{"type":"IMPORT_STATE"}"##,
      .unreadable("IMPORT_STATE", "nextLiftedState")),
    Row("button without a word", ##"{"type":"DISPATCH"}"##, nil),
    Row("button with a wordless action", ##"{"type":"DISPATCH","action":{}}"##, nil),
    Row("type that is a number", ##"{"type":1}"##, nil),
    Row("no object", ##"["START"]"##, nil),
    Row("nothing", "null", nil),
  ]

  private static let jumps = ["JUMP_TO_ACTION": "actionId", "JUMP_TO_STATE": "index"]
  static let broken = ["null", #""3""#, "-1", "2.5", "2.0", "1e400", "18446744073709551616", "{}"]

  @Test(arguments: broken)
  func `A member that cannot be read has no default`(value: String) throws {
    for (word, member) in Self.jumps {
      for name in ["actionId", "index"] {
        let frame = try JSON(parsing: #"{"type":"\#(word)","\#(name)":\#(value)}"#)
        #expect(PanelCommand(frame) == .unreadable(word, name))
      }
      #expect(PanelCommand(["type": .string(word)]) == .unreadable(word, member))
    }
    for word in ["PAUSE_RECORDING", "LOCK_CHANGES"] {
      let frame = try JSON(parsing: #"{"type":"\#(word)","status":\#(value)}"#)
      #expect(PanelCommand(frame) == .unreadable(word, "status"))
      #expect(PanelCommand(["type": .string(word)]) == .unreadable(word, "status"))
    }
    let drag = try JSON(
      parsing: #"{"type":"REORDER_ACTION","actionId":1,"beforeActionId":\#(value)}"#)
    // JSON.stringify writes Infinity, the panel's word for the end, as null.
    #expect(
      PanelCommand(drag)
        == (value == "null"
          ? .rewrite(.move(1, before: nil)) : .unreadable("REORDER_ACTION", "beforeActionId")))
    let call = try JSON(
      parsing: #"{"type":"ACTION","action":{"name":"inc","args":[\#(value)]}}"#)
    let isText = value.hasPrefix("\"")
    #expect((PanelCommand(call) == .unreadable("ACTION", "args")) == !isText)
  }

  @Test(arguments: buttons)
  func `Every button has its command`(row: Row) throws {
    #expect(PanelCommand(try JSON(parsing: row.frame)) == row.command)
  }

  @Test(arguments: bare)
  func `What comes by Socket.IO need not be wrapped`(row: Row) throws {
    #expect(PanelCommand(try JSON(parsing: row.frame)) == row.command)
  }

  @Test(arguments: others)
  func `Anything else is named or ignored`(row: Row) throws {
    #expect(PanelCommand(try JSON(parsing: row.frame)) == row.command)
  }

  @Test(arguments: bare)
  func `What comes by Socket.IO may be wrapped all the same`(row: Row) throws {
    let inner = try JSON(parsing: row.frame)
    #expect(PanelCommand(["type": "DISPATCH", "action": inner]) == row.command)
  }
}
