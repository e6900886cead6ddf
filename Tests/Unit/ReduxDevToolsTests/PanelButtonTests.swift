import JSONTree
import ReduxDevTools
import SurfControl
import SurfWire
import TestSupport
import Testing

/// What each button does to an app with a store, and to one without.
@Suite struct PanelButtonTests {
  typealias Command = PanelCommand
  static let name = "todo#7"

  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let command: Command
    let replies: [PanelReply]

    init(_ command: Command, _ replies: PanelReply...) {
      testDescription = "\(command)"
      self.command = command
      self.replies = replies
    }
  }

  static func state(_ row: SequenceNumber?, _ text: String) -> PanelReply {
    .reset(row: row, .bytes(Array(text.utf8), contentType: "application/json"))
  }

  static func command(_ text: String) -> PanelReply { .command(Array(text.utf8)) }
  static func refusal(_ reason: String) -> PanelReply { .send(.error(reason)) }
  static let cannot =
    "todo#7 cannot do this, and nothing was changed; a program with a HistoryTransceiver can"

  static let jumps = [
    Row(.start, .send(.whole)),
    Row(.stop),
    Row(.jump(action: 2, state: nil), state(2, ##"["milk","eggs"]"##)),
    Row(.jump(action: 2, state: "[]"), state(2, ##"["milk","eggs"]"##)),
    Row(.jump(action: 0, state: nil), .reset(row: nil, .initial)),
    Row(.jumpToIndex(0, state: nil), .reset(row: nil, .initial)),
    Row(.jumpToIndex(1, state: nil), state(1, ##"["milk"]"##)),
    Row(.jumpToIndex(3, state: nil), state(3, ##"["milk","eggs","tea"]"##)),
    Row(.jumpToIndex(4, state: nil), refusal("there is no action at place 4")),
    Row(.jumpToIndex(-1, state: nil), refusal("there is no action at place -1")),
    Row(.jumpToIndex(.max, state: nil), refusal("there is no action at place \(Int.max)")),
    // A jump to an action that is gone changes nothing, and reports that.
    Row(.jump(action: 9, state: nil), refusal("there is no action at place 9")),
    Row(
      .jump(action: .max, state: "{broken"), refusal("there is no action at place \(Int.max)")),
    Row(
      .jump(action: 9, state: ##"["kept by the panel"]"##), state(nil, ##"["kept by the panel"]"##)),
    Row(.unknown("TELEPORT"), refusal("unknown command 'TELEPORT'")),
    Row(
      .unreadable("JUMP_TO_ACTION", "actionId"),
      refusal("'JUMP_TO_ACTION' lacks a valid 'actionId'; nothing was changed")),
    Row(
      .export,
      .send(
        .export(
          actions: ##"[{"type":"add","payload":"milk"},{"type":"add","payload":"eggs"},"##
            + ##"{"type":"add","payload":"tea"}]"##, committed: "null"))),
  ]

  @Test(arguments: jumps, [Heartbeat.Control(), .ofStore])
  func `Some buttons do the same for every app`(row: Row, control: Heartbeat.Control) {
    var instance = PanelInstance.shopping(control)
    #expect(instance.perform(row.command) == row.replies)
  }

  @Test(arguments: [
    Row(
      .rewrite(.toggle(2, skipped: nil)), command(##"{"command":"toggle","row":2,"skipped":true}"##)
    ),
    Row(.rewrite(.move(3, before: 1)), command(##"{"command":"reorder","row":3,"before":1}"##)),
    Row(.rewrite(.move(3, before: nil)), command(##"{"command":"reorder","row":3}"##)),
    Row(.rewrite(.sweep), command(##"{"command":"sweep"}"##)),
    Row(.rewrite(.commit), command(##"{"command":"commit"}"##)),
    Row(.rewrite(.rollback), command(##"{"command":"rollback"}"##)),
    Row(.rewrite(.reset), command(##"{"command":"reset"}"##)),
    Row(.rewrite(.pause(true)), command(##"{"command":"pause","on":true}"##)),
    Row(.rewrite(.lock(false)), command(##"{"command":"lock","on":false}"##)),
    Row(
      .rewrite(.dispatch(["type": "inc", "at": ["$jsan": "u"]])),
      command(##"{"command":"dispatch","action":{"type":"inc"}}"##)),
    Row(
      .dispatchText("{type:'counter/inc',by:100}"),
      command(##"{"command":"dispatch","action":{"type":"counter/inc","by":100}}"##)),
    Row(
      .create(ActionCreatorCall(name: "clear", arguments: [])),
      command(##"{"command":"dispatch","action":{"type":"clear"}}"##)),
    Row(
      .create(ActionCreatorCall(name: "add", arguments: ["'milk'"])),
      command(##"{"command":"dispatch","action":{"type":"add","payload":"milk"}}"##)),
    Row(
      .create(ActionCreatorCall(name: "move", arguments: ["1"], rest: "[2, 'x']")),
      command(##"{"command":"dispatch","action":{"move":{"_0":1,"_1":2,"_2":"x"}}}"##)),
    Row(
      .create(ActionCreatorCall(name: "move", arguments: ["1", "", "{to: 2}"])),
      command(##"{"command":"dispatch","action":{"move":{"_0":1,"_1":{"to":2}}}}"##)),
    Row(
      .importState(["actionsById": [:], "computedStates": [["state": 1], ["state": 2]]]),
      command(
        ##"{"command":"import","committed":1,"steps":[{"name":"action 1","state":2}],"current":0}"##
      )
    ),
  ])
  func `An app with a store is asked to do it`(row: Row) throws {
    var instance = PanelInstance.shopping(.ofStore)
    #expect(instance.perform(row.command) == row.replies)
    guard case .command(let bytes)? = row.replies.first else {
      Issue.record("the row asks the app for nothing")
      return
    }
    _ = try HistoryCommand<UInt64>(parsing: bytes)
    #expect(instance.lifted?["skippedActionIds"] == [], "it tells itself when it has done it")
  }

  /// It says its initial state and stands still, and no more.
  @Test func `An app that takes commands and has no store is asked for nothing else`() {
    func replies(_ command: PanelCommand, _ control: Heartbeat.Control) -> [PanelReply] {
      var instance = PanelInstance.shopping(control)
      return instance.perform(command)
    }
    let rewrites: [HistoryCommand<Int>] = [
      .toggle(2, skipped: nil), .sweep, .commit, .rollback, .reset, .pause(true),
    ]
    for rewrite in rewrites {
      #expect(replies(.rewrite(rewrite), .takesCommands) == replies(.rewrite(rewrite), []))
    }
    let file: JSON = ["actionsById": [:], "computedStates": [["state": 1], ["state": 2]]]
    #expect(replies(.importState(file), .takesCommands) == replies(.importState(file), []))
    #expect(
      replies(.rewrite(.lock(true)), .takesCommands) == [
        Self.command(##"{"command":"lock","on":true}"##)
      ])
    #expect(replies(.rewrite(.lock(true)), []) != replies(.rewrite(.lock(true)), .takesCommands))
    let dispatch = PanelCommand.rewrite(.dispatch("inc"))
    #expect(replies(dispatch, .takesCommands) == replies(dispatch, []))
    #expect(replies(dispatch, .allCommands) != replies(dispatch, []))
    // The app knows nothing of the panel's pause, and does not end it.
    var paused = PanelInstance.shopping(.takesCommands)
    _ = paused.perform(.rewrite(.pause(true)))
    let told = Revision(
      command: "lock", viewerName: "ada", replay: .approximate, isLocked: true, isPaused: false)
    _ = paused.receive(
      Record(
        sequence: 4, kind: .revision, name: "locked by ada",
        payload: Content(type: "application/json", bytes: told.json.bytes())))
    #expect(paused.lifted?["isPaused"] == true && paused.lifted?["isLocked"] == true)
  }

  @Test func `Actions without states are for the app to run`() {
    let file =
      ##"{"payload":"[{\"type\":\"add\",\"payload\":\"milk\"},{\"type\":\"clear\"}]","##
      + ##""preloadedState":"{\"n\":9007199254740993}"}"##
    var instance = PanelInstance.shopping(.ofStore)
    let steps =
      ##"[{"name":"add","action":{"type":"add","payload":"milk"}},"##
      + ##"{"name":"clear","action":{"type":"clear"}}]"##
    #expect(
      instance.perform(.importText(file)) == [
        Self.command(
          ##"{"command":"import","committed":{"n":9007199254740993},"steps":\##(steps),"current":1}"##
        )
      ])
    var other = PanelInstance.shopping()
    #expect(
      other.perform(.importText(file)) == [
        Self.refusal(
          "the file cannot be imported: it holds actions without states, and the app has no reducer "
            + "to compute them; export the lifted state instead")
      ])
  }

  @Test func `After a skip the slider's start is the app's own beginning`() {
    var instance = PanelInstance.loaded(.ofStore, PanelInstance.shoppingRecords)
    let described = Revision(
      command: "describe", viewerName: "ada", replay: .exact, isLocked: false, isPaused: false,
      initial: [])
    _ = instance.receive(.revision(4, described, state: "[]"))
    let items = [1, 2, 3].map { Revision.Item(row: $0, isSkipped: $0 == 2) }
    let skip = Revision(
      command: "toggle", viewerName: "ada", replay: .exact, isLocked: false, isPaused: false,
      staging: .init(oldest: 0, committed: [], items: items, current: 3))
    _ = instance.receive(.revision(5, skip, state: "[]"))
    #expect(instance.perform(.jump(action: 0, state: nil)) == [.reset(row: nil, .initial)])
    _ = instance.note(PanelInstanceTests.restored(.initial, newest: 5))
    #expect(instance.lifted?["currentStateIndex"] == 0)
  }

  @Test func `After a commit the slider's start is the commit`() {
    var instance = PanelInstance.loaded(.ofStore, PanelInstance.shoppingRecords)
    func revise(
      _ row: SequenceNumber, _ command: String, _ items: [Revision.Item], current: UInt64?
    ) {
      let revision = Revision(
        command: command, viewerName: "ada", replay: .exact, isLocked: false, isPaused: false,
        staging: .init(oldest: 0, committed: ["tea"], items: items, current: current))
      _ = instance.receive(.revision(row, revision, state: ##"["tea"]"##))
    }
    revise(4, "commit", [], current: nil)
    #expect(instance.lifted?["currentStateIndex"] == 0)
    _ = instance.receive(.action(5, "clear", state: "[]"))
    revise(6, "toggle", [.init(row: 5, isSkipped: true)], current: 5)
    #expect(instance.lifted?["currentStateIndex"] == 1)
    #expect(instance.perform(.jump(action: 0, state: nil)) == [Self.state(4, ##"["tea"]"##)])
    _ = instance.note(PanelInstanceTests.restored(.record(4), newest: 6))
    #expect(instance.lifted?["currentStateIndex"] == 0)
  }

  @Test func `A skipped action is taken in again`() {
    let revision = Revision(
      command: "toggle", viewerName: "ada", replay: .exact, isLocked: false, isPaused: false,
      staging: .init(
        oldest: 0, committed: nil, items: [.init(row: 1), .init(row: 2, isSkipped: true)],
        current: 1))
    var instance = PanelInstance.loaded(
      .ofStore,
      PanelInstance.shoppingRecords.prefix(2) + [.revision(3, revision, state: "[]")])
    #expect(
      instance.perform(.rewrite(.toggle(2, skipped: nil)))
        == [Self.command(##"{"command":"toggle","row":2,"skipped":false}"##)])
    #expect(
      instance.perform(.export)
        == [
          .send(
            .export(actions: ##"[{"type":"add","payload":"milk"}]"##, committed: "null"))
        ], "what is left out is not exported")
  }

  @Test(arguments: [
    Row(.dispatchText("{type:"), refusal("no action can be made of this: ")),
    Row(.dispatchText("alert(1)"), refusal("no action can be made of this: ")),
    Row(
      .create(ActionCreatorCall(name: "add", arguments: ["1", "}"])), refusal("argument 2 of add: ")
    ),
    Row(
      .create(ActionCreatorCall(name: "add", arguments: [], rest: "1")),
      refusal("the rest of add: it must be an array")),
    Row(
      .create(ActionCreatorCall(name: "add", arguments: [], rest: "[")),
      refusal("the rest of add: ")),
    Row(.importText("{"), refusal("the file cannot be imported: not JSON: ")),
    Row(
      .importState([:]),
      refusal("the file cannot be imported: it has no usable \"computedStates\"")),
  ])
  func `What cannot be read is refused in words`(row: Row) {
    var instance = PanelInstance.shopping(.ofStore)
    let replies = instance.perform(row.command)
    guard case .send(.error(let expected))? = row.replies.first, replies.count == 1,
      case .send(.error(let reason)) = replies[0]
    else {
      Issue.record("no refusal: \(replies)")
      return
    }
    #expect(reason.hasPrefix(expected))
  }

  private static let described = Revision(
    command: "describe", viewerName: "ada", replay: .exact, isLocked: false, isPaused: false,
    initial: [:],
    creators: [
      .init(name: "move", arguments: ["from", "to"]), .init(name: "edit", arguments: ["_", "_"]),
      .init(name: "rename", arguments: ["_ row", "title"]), .init(name: "clear"),
    ])

  @Test(arguments: [
    (["1", "2"], "[]", #"{"type":"move","from":1,"to":2}"#),
    (["", "2"], "[]", #"{"type":"move","to":2}"#),
    (["1"], "[2, 3]", #"{"type":"move","from":1,"to":2,"_2":3}"#),
    ([], "", #"{"type":"move"}"#),
  ])
  func `Values have the labels that the app has told`(
    arguments: [String], rest: String, action: String
  ) {
    var instance = PanelInstance.shopping(.ofStore)
    _ = instance.receive(.revision(4, Self.described, state: "[]"))
    let call = ActionCreatorCall(name: "move", arguments: arguments, rest: rest)
    #expect(
      instance.perform(.create(call)) == [
        Self.command(#"{"command":"dispatch","action":\#(action)}"#)
      ])
  }

  @Test func `A value without a label among others has its place`() {
    var instance = PanelInstance.shopping(.ofStore)
    _ = instance.receive(.revision(4, Self.described, state: "[]"))
    let rename = ActionCreatorCall(name: "rename", arguments: ["1", "'x'"])
    let edit = ActionCreatorCall(name: "edit", arguments: ["1", "'x'"])
    #expect(
      instance.perform(.create(rename)) == [
        Self.command(##"{"command":"dispatch","action":{"type":"rename","_0":1,"title":"x"}}"##)
      ])
    #expect(
      instance.perform(.create(edit)) == [
        Self.command(##"{"command":"dispatch","action":{"edit":{"_0":1,"_1":"x"}}}"##)
      ])
  }

  @Test func `The panel is offered what the app offers, and nothing of one that is silent`() throws
  {
    var instance = PanelInstance.shopping(.ofStore)
    #expect(instance.frame(.whole, connection: "c")["libConfig"]?["actionCreators"] == nil)
    _ = instance.receive(.revision(4, Self.described, state: "[]"))
    let configuration = try #require(instance.frame(.whole, connection: "c")["libConfig"])
    #expect(
      configuration["actionCreators"]?.inner == [
        ["name": "move", "args": ["from", "to"]], ["name": "edit", "args": ["value", "value"]],
        ["name": "rename", "args": ["row", "title"]], ["name": "clear", "args": []],
      ])
  }

  // MARK: Without a store

  @Test(arguments: [
    Row(.rewrite(.toggle(3, skipped: nil)), state(2, ##"["milk","eggs"]"##), .send(.whole)),
    Row(.rewrite(.toggle(1, skipped: nil)), .reset(row: nil, .initial), .send(.whole)),
    Row(.rewrite(.toggle(7, skipped: nil)), refusal("there is no action at place 7")),
    Row(.rewrite(.move(3, before: 1)), refusal(cannot)),
    Row(.rewrite(.lock(true)), refusal(cannot)),
    Row(.rewrite(.sweep), .send(.whole)),
    Row(.rewrite(.commit), .send(.whole)),
    Row(.rewrite(.rollback), .reset(row: nil, .initial), .send(.whole)),
    Row(.rewrite(.reset), .reset(row: nil, .initial), .send(.whole)),
    Row(.rewrite(.pause(true)), .send(.whole)),
    Row(.rewrite(.dispatch(["type": "inc"])), refusal("todo#7 takes no actions from outside")),
    Row(
      .create(ActionCreatorCall(name: "inc", arguments: [])),
      refusal("todo#7 takes no actions from outside")),
    Row(
      .importState(["actionsById": [:], "computedStates": [["state": 1], ["state": 2]]]),
      state(nil, "2")),
    Row(
      .importState([
        "actionsById": [:], "computedStates": [["state": 1], ["state": 2]], "currentStateIndex": 0,
      ]), state(nil, "1")),
    Row(
      .importState(["actionsById": [:], "computedStates": [["state": .null]]]),
      .reset(row: nil, .initial)),
  ])
  func `For an app without a store its states have to do`(row: Row) {
    var instance = PanelInstance.shopping()
    #expect(instance.perform(row.command) == row.replies)
  }

  @Test func `Skips are kept here, and swept`() {
    var instance = PanelInstance.shopping()
    _ = instance.perform(.rewrite(.toggle(2, skipped: nil)))
    #expect(instance.lifted?["skippedActionIds"] == [2])
    #expect(
      instance.perform(.rewrite(.toggle(2, skipped: nil))).first
        == Self.state(2, ##"["milk","eggs"]"##))
    #expect(instance.lifted?["skippedActionIds"] == [])
    _ = instance.perform(.rewrite(.toggle(2, skipped: nil)))
    _ = instance.perform(.rewrite(.sweep))
    #expect(instance.lifted?["stagedActionIds"] == [0, 1, 2])
    #expect(instance.numbering == [1, 3])
  }

  @Test func `A commit is kept here, and rolled back to`() {
    var instance = PanelInstance.shopping()
    _ = instance.perform(.rewrite(.commit))
    #expect(instance.lifted?["stagedActionIds"] == [0])
    #expect(instance.lifted?["committedState"] == ["milk", "eggs", "tea"])
    _ = instance.receive(.action(4, "clear", state: "[]"))
    #expect(instance.numbering == [4])
    #expect(
      instance.perform(.rewrite(.rollback))
        == [Self.state(3, ##"["milk","eggs","tea"]"##), .send(.whole)])
    _ = instance.note(PanelInstanceTests.restored(.record(3), newest: 4))
    #expect(instance.lifted?["stagedActionIds"] == [0])
    #expect(
      instance.perform(.jump(action: 0, state: nil))
        == [Self.state(3, ##"["milk","eggs","tea"]"##)])
  }

  @Test func `A state that never came cannot be committed`() {
    var records = PanelInstance.shoppingRecords
    records[2].state = .givenUp
    var instance = PanelInstance.loaded([], records)
    #expect(
      instance.perform(.rewrite(.commit))
        == [Self.refusal("the state that todo#7 is in is not known here")])
    #expect(instance.lifted?["stagedActionIds"] == [0, 1, 2, 3])
  }

  @Test func `While it is paused here, actions are dropped`() {
    var instance = PanelInstance.shopping()
    _ = instance.perform(.rewrite(.pause(true)))
    #expect(instance.lifted?["isPaused"] == true)
    #expect(instance.receive(.action(4, "clear", state: "[]")) == [.whole])
    #expect(instance.lifted?["actionsById"]?["4"]?["action"]?["type"] == "@@PAUSED")
    _ = instance.perform(.rewrite(.pause(false)))
    #expect(instance.receive(.action(5, "clear", state: "[]")).first != nil)
    #expect(instance.numbering == [1, 2, 3, 5])
  }

  /// Places may change before the panel receives the next list.
  @Test func `A command means the rows that its panel shows`() {
    var instance = PanelInstance.shopping()
    let before = instance.numbering
    _ = instance.perform(.rewrite(.toggle(1, skipped: nil)))
    _ = instance.perform(.rewrite(.sweep))
    #expect(instance.numbering == [2, 3])
    let jump = PanelCommand.jump(action: 3, state: nil)
    #expect(
      instance.perform(jump, numbering: before) == [Self.state(3, ##"["milk","eggs","tea"]"##)])
    #expect(instance.perform(jump) == [Self.refusal("there is no action at place 3")])
    // An action added after the rows that a panel shows has the next place.
    _ = instance.receive(.action(4, "clear", state: "[]"))
    #expect(instance.perform(jump, numbering: [2, 3]) == [Self.state(4, "[]")])
    #expect(
      instance.perform(.jump(action: 4, state: nil), numbering: before)
        == [Self.refusal("there is no action at place 4")])
  }
}
