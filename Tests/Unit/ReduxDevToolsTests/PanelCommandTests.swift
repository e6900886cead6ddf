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
      "recording without a status", ##"{"type":"DISPATCH","action":{"type":"PAUSE_RECORDING"}}"##,
      .rewrite(.pause(true))),
    Row(
      "lock",
      ##"{"type":"DISPATCH","action":{"type":"LOCK_CHANGES","status":true},"instanceId":"i"}"##,
      .rewrite(.lock(true))),
    Row(
      "unlock",
      ##"{"type":"DISPATCH","action":{"type":"LOCK_CHANGES","status":false},"instanceId":"i"}"##,
      .rewrite(.lock(false))),
    Row(
      "lock without a status", ##"{"type":"DISPATCH","action":{"type":"LOCK_CHANGES"}}"##,
      .rewrite(.lock(true))),
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

  // A Socket.IO relay may send the inner object bare (Protocol.md §B.4).
  static let bare = [
    Row("jump", ##"{"type":"JUMP_TO_ACTION","actionId":7}"##, .jump(action: 7, state: nil)),
    Row("jump by index", ##"{"type":"JUMP_TO_ACTION","index":2}"##, .jumpToIndex(2, state: nil)),
    Row("jump to nothing", ##"{"type":"JUMP_TO_ACTION"}"##, .jumpToIndex(0, state: nil)),
    Row("jump to a state", ##"{"type":"JUMP_TO_STATE","index":2}"##, .jumpToIndex(2, state: nil)),
    Row(
      "jump to a state by id", ##"{"type":"JUMP_TO_STATE","actionId":5}"##,
      .jump(action: 5, state: nil)),
    Row(
      "jump to no state", ##"{"type":"JUMP_TO_STATE"}"##, .jump(action: 0, state: nil)),
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
    Row("skip of nothing", ##"{"type":"TOGGLE_ACTION"}"##, .unknown("TOGGLE_ACTION")),
    Row("skip of a name", ##"{"type":"TOGGLE_ACTION","id":"1"}"##, .unknown("TOGGLE_ACTION")),
    Row("skip below zero", ##"{"type":"TOGGLE_ACTION","id":-1}"##, .unknown("TOGGLE_ACTION")),
    Row("drag of nothing", ##"{"type":"REORDER_ACTION"}"##, .unknown("REORDER_ACTION")),
    Row("action without one", ##"{"type":"ACTION"}"##, .unknown("ACTION")),
    Row("action that is a number", ##"{"type":"ACTION","action":1}"##, .unknown("ACTION")),
    Row("file without text", ##"{"type":"IMPORT"}"##, .unknown("IMPORT")),
    Row("import of nothing", ##"{"type":"IMPORT_STATE"}"##, .unknown("IMPORT_STATE")),
    Row("button without a word", ##"{"type":"DISPATCH"}"##, nil),
    Row("button with a wordless action", ##"{"type":"DISPATCH","action":{}}"##, nil),
    Row("type that is a number", ##"{"type":1}"##, nil),
    Row("no object", ##"["START"]"##, nil),
    Row("nothing", "null", nil),
  ]

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
