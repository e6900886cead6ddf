import JSONTree
import ReduxDevTools
import SurfControl
import SurfWire
import TestSupport
import Testing

/// The history that a panel shows, and the changes that it receives.
@Suite struct PanelInstanceTests {
  // Members have the panel's order of export.
  @Test func `The history is a lifted state, byte for byte`() {
    let instance = PanelInstance.loaded([], Array(PanelInstance.shoppingRecords.prefix(2)))
    #expect(
      instance.liftedText == ##"{"monitorState":{},"actionsById":{"##
        + ##""0":{"type":"PERFORM_ACTION","action":{"type":"@@INIT"},"timestamp":1000},"##
        + ##""1":{"type":"PERFORM_ACTION","action":{"type":"add","payload":"milk"},"##
        + ##""timestamp":1000,"row":1},"##
        + ##""2":{"type":"PERFORM_ACTION","action":{"type":"add","payload":"eggs"},"##
        + ##""timestamp":2000,"row":2}},"##
        + ##""nextActionId":3,"stagedActionIds":[0,1,2],"skippedActionIds":[],"##
        + ##""committedState":null,"currentStateIndex":2,"##
        + ##""computedStates":[{"state":null},{"state":["milk"]},{"state":["milk","eggs"]}],"##
        + ##""isLocked":false,"isPaused":false}"##)
  }

  @Test func `The list says for how many equal actions a row stands, and a file does not`() throws {
    let records = [
      Record(
        sequence: 1, kind: .action, name: "add(2)", payload: .json(##"{"add":{"_0":2}}"##),
        state: .keyframe(.json("9")), count: 12),
      Record(sequence: 2, kind: .action, name: "tick", state: .keyframe(.json("9")), count: 2),
    ]
    let instance = PanelInstance.loaded([], records)
    let actions = try #require(instance.lifted?["actionsById"])
    #expect(actions["1"]?["action"] == ["type": "add ×12", "payload": 2])
    #expect(actions["2"]?["action"] == ["type": "tick ×2"])
    #expect(instance.steps.steps.map { $0.action["type"]?.string } == ["add ×12", "tick ×2"])
  }

  @Test func `An app that has done nothing has a history, too`() throws {
    let lifted = try #require(PanelInstance.loaded([], []).lifted)
    #expect(lifted["stagedActionIds"] == [0])
    #expect(lifted["currentStateIndex"] == 0)
    #expect(lifted["nextActionId"] == 1)
    #expect(lifted["computedStates"] == [["state": .null]])
  }

  @Test func `The first state is the initial one, once the app has told it`() throws {
    var records = PanelInstance.shoppingRecords
    let told = Revision(
      command: "describe", viewerName: "ada", replay: .exact, isLocked: false, isPaused: false,
      initial: ["bread"])
    records.append(.revision(4, told, state: "[]"))
    let lifted = try #require(PanelInstance.loaded([], records).lifted)
    #expect(lifted["committedState"] == ["bread"])
    #expect(lifted["computedStates"]?.list.first == ["state": ["bread"]])
    #expect(lifted["stagedActionIds"] == [0, 1, 2, 3])
    // A commit puts another state there, and what follows a reset begins with this one again.
    let commit = Revision.Staging(oldest: 0, committed: ["tea"], items: [], current: nil)
    records.append(
      .revision(
        5,
        Revision(
          command: "commit", viewerName: "ada", replay: .exact, isLocked: false, isPaused: false,
          staging: commit), state: "[]"))
    #expect(PanelInstance.loaded([], records).lifted?["committedState"] == ["tea"])
  }

  @Test func `A history that begins later does not begin with the initial state`() throws {
    let told = Revision(
      command: "describe", viewerName: "ada", replay: .exact, isLocked: false, isPaused: false,
      initial: ["bread"])
    let records: [Record] = [
      .action(7, "add(\"milk\")", state: ##"["milk"]"##), .action(8, "clear", state: "[]"),
      .revision(9, told, state: "[]"),
    ]
    let instance = PanelInstance.loaded([], records)
    let lifted = try #require(instance.lifted)
    #expect(lifted["committedState"] == ["milk"])
    #expect(lifted["stagedActionIds"] == [0, 1] && instance.numbering == [8])
    #expect(lifted["actionsById"]?["0"]?["action"]?["type"] == "@@CUT before row 7")
    let one = try #require(PanelInstance.loaded([], Array(records.prefix(1))).lifted)
    #expect(one["stagedActionIds"] == [0, 1], "the only row is shown as what it is")
    #expect(
      one["computedStates"]?.list[0]["error"]?.string
        == "what came before the first row is not here")
  }

  @Test func `All lists are in step after a rewrite`() throws {
    var records = PanelInstance.shoppingRecords
    let staging = Revision.Staging(
      oldest: 0, committed: ["bread"],
      items: [.init(row: 3), .init(row: 1, isSkipped: true, state: ["x"]), .init(row: 2)],
      current: 1)
    records.append(
      .revision(
        4,
        Revision(
          command: "reorder", viewerName: "ada", replay: .exact, isLocked: true, isPaused: false,
          staging: staging), state: "[]"))
    records.append(.action(5, "clear", ##"{"clear":{}}"##, state: "[]"))
    let instance = PanelInstance.loaded(.ofStore, records)
    let lifted = try #require(instance.lifted)
    #expect(instance.numbering == [3, 1, 2, 5])
    #expect(lifted["stagedActionIds"] == [0, 1, 2, 3, 4])
    #expect(lifted["skippedActionIds"] == [2])
    #expect(lifted["actionsById"]?.keys == ["0", "1", "2", "3", "4"])
    #expect(lifted["committedState"] == ["bread"])
    #expect(
      lifted["computedStates"]?.list.map { $0["state"] } == [
        ["bread"], ["milk", "eggs", "tea"], ["x"], ["milk", "eggs"], [],
      ])
    #expect(lifted["currentStateIndex"] == 4)
    #expect(lifted["nextActionId"] == 5)
    #expect(lifted["isLocked"] == true && lifted["isPaused"] == false)
  }

  @Test func `A history that begins with a log line has an end`() {
    // A faulty app, or a stranger in its name, stages a row that is not an action.
    let items = [5, 6].map { Revision.Item(row: $0) }
    let revision = Revision(
      command: "toggle", viewerName: "ada", replay: .exact, isLocked: false, isPaused: false,
      staging: .init(oldest: 0, committed: nil, items: items, current: 6))
    var instance = PanelInstance.loaded(
      .ofStore,
      [
        Record(sequence: 5, kind: .log(.info), name: "a line"), .action(6, "add", state: "[]"),
        .revision(7, revision, state: "[]"),
      ])
    for reply in instance.perform(.jump(action: 0, state: nil)) {
      #expect(
        reply == .send(.error("row 5 cannot be jumped to: this row was recorded without a state")))
    }
  }

  @Test(arguments: [nil, 1, 2, 3] as [SequenceNumber?])
  func `After a rewrite the app is where it was left`(row: SequenceNumber?) throws {
    var records = PanelInstance.shoppingRecords
    let items = [1, 2, 3].map { Revision.Item(row: $0) }
    let revision = Revision(
      command: "toggle", viewerName: "ada", replay: .exact, isLocked: false, isPaused: false,
      staging: .init(oldest: 0, committed: nil, items: items, current: row?.rawValue))
    records.append(.revision(4, revision, state: "[]"))
    let lifted = try #require(PanelInstance.loaded(.ofStore, records).lifted)
    #expect(lifted["currentStateIndex"] == .number(row ?? 0))
  }

  @Test func `States that are no JSON are shown as what they are, and keep the text whole`() throws
  {
    var records = PanelInstance.shoppingRecords
    records[0].state = .keyframe(Content(type: "application/x-plist", bytes: [1, 2, 3]))
    records[1].state = .keyframe(.json("{broken"))
    records[2].state = .givenUp
    let lifted = try #require(PanelInstance.loaded([], records).lifted)
    let states = try #require(lifted["computedStates"]?.list)
    #expect(states[1] == ["state": ["$base64": "AQID", "contentType": "application/x-plist"]])
    #expect(
      states[2] == ["state": ["$base64": "e2Jyb2tlbg==", "contentType": "application/json"]])
    #expect(states[3]["state"] == JSON.null)
    #expect(states[3]["error"]?.string?.hasPrefix("the app did not send the state") == true)
  }

  @Test func `Other kinds of JSON are JSON`() throws {
    var records = PanelInstance.shoppingRecords
    records[0].state = .keyframe(Content(type: "application/geo+json", bytes: Array("[1]".utf8)))
    let lifted = try #require(PanelInstance.loaded([], records).lifted)
    #expect(lifted["computedStates"]?.list[1] == ["state": [1]])
  }

  @Test func `A value that comes with a state is a row, and the app is there`() throws {
    let payload = Content(type: "application/json", bytes: Array(#"{"grams":150}"#.utf8))
    let value = Record(
      sequence: 1, kind: .update, name: "recipe", payload: payload,
      state: .keyframe(.json(#"{"recipe":{"grams":150}}"#)))
    var instance = PanelInstance.loaded([], [])
    let step = PanelStep(
      id: 1, row: 1, action: ["type": "recipe", "payload": ["grams": 150]], timestamp: 0,
      state: #"{"recipe":{"grams":150}}"#)
    #expect(instance.receive(value) == [.action(step)])
    _ = instance.receive(Record(sequence: 2, kind: .log(.info), name: "saved"))
    let lifted = try #require(instance.lifted)
    #expect(lifted["stagedActionIds"] == [0, 1, 2])
    #expect(lifted["currentStateIndex"] == 2)
    #expect(instance.presentState == Content.json(#"{"recipe":{"grams":150}}"#))
  }

  @Test func `Logs and marks are rows, values without a state are none`() throws {
    var records = PanelInstance.shoppingRecords
    records.insert(Record(sequence: 4, kind: .log(.warning), name: "hello"), at: 3)
    records.append(Record(sequence: 5, kind: .update, name: "speed", payload: .json("1")))
    var instance = PanelInstance.loaded([], records)
    let lifted = try #require(instance.lifted)
    #expect(lifted["stagedActionIds"] == [0, 1, 2, 3, 4])
    #expect(lifted["actionsById"]?["4"]?["action"] == ["type": "@@LOG warning: hello"])
    #expect(lifted["computedStates"]?.list[4] == ["state": ["milk", "eggs", "tea"]])
    #expect(lifted["currentStateIndex"] == 4, "a panel at the end stays there")
    let mark = PanelStep(
      id: 5, row: 6, action: ["type": "@@MARK here"], timestamp: 0,
      state: ##"["milk","eggs","tea"]"##,
      isRemark: true)
    let messages = instance.receive(Record(sequence: 6, kind: .mark, name: "here"))
    #expect(messages == [.action(mark)])
    #expect(instance.seedFrames(.action(mark)).isEmpty, "and no action for who knows actions alone")
    #expect(instance.seedFrames(.whole).count == 4)
    // To jump to a remark is to jump to the action before it.
    #expect(
      instance.perform(.jump(action: 4, state: nil))
        == instance.perform(.jump(action: 3, state: nil)))
    let toggle = Revision(
      command: "toggle", viewerName: "ada", replay: .exact, isLocked: false, isPaused: false,
      staging: .init(
        oldest: 0, committed: nil, items: [.init(row: 3), .init(row: 1), .init(row: 2)], current: 2)
    )
    _ = instance.receive(.revision(7, toggle, state: "[]"))
    #expect(
      instance.numbering == [3, 4, 6, 1, 2], "they stay where they were made")
    let commit = Revision(
      command: "commit", viewerName: "ada", replay: .exact, isLocked: false, isPaused: false,
      staging: .init(oldest: 0, committed: [], items: [], current: nil))
    _ = instance.receive(.revision(8, commit, state: "[]"))
    #expect(instance.lifted?["stagedActionIds"] == [0], "and go with their history")
  }

  // MARK: When and where

  @Test func `The beginning has a time, before anything happens and after`() {
    func start(_ records: [Record]) -> JSON? {
      var instance = PanelInstance(
        id: "i", heartbeat: .of(uptime: 2_000_000_000), appearedAt: 9_000)
      for record in records { _ = instance.receive(record) }
      _ = instance.finishLoading()
      return instance.lifted?["actionsById"]?["0"]?["timestamp"]
    }
    #expect(start([]) == 7_000)
    var record = Record(
      sequence: 1, kind: .action, wallTime: 5_000_000_000, uptime: 1_000_000_000, name: "a")
    #expect(start([record]) == 4_000)
    record = Record(sequence: 1, kind: .action, wallTime: .min, uptime: .max, name: "a")
    #expect(start([record]) == .number(Int64.min / 1_000_000))
  }

  @Test func `The trace leads from the action to its causes`() {
    let records = [
      Record(sequence: 1, kind: .action, name: "load(2)", source: "My App/Main@x.swift:3"),
      Record(sequence: 2, kind: .action, parent: 1, name: "loaded", source: "no place"),
      Record(sequence: 3, kind: .action, parent: 2, name: "show", source: "App/View.swift:42"),
      Record(sequence: 4, kind: .action, parent: 4, name: "round", source: "A.swift:1"),
    ]
    let actions = PanelInstance.loaded([], records).lifted?["actionsById"]
    #expect(
      actions?["3"]?["stack"]?.string
        == "Error\n    at show (App/View.swift:42:1)\n    at load (My%20App/Main%40x.swift:3:1)")
    #expect(actions?["4"]?["stack"]?.string == "Error\n    at round (A.swift:1:1)")
    #expect(actions?["0"]?["stack"] == nil)
  }

  @Test func `Who is nowhere is shown there`() throws {
    var instance = PanelInstance.shopping(.ofStore)
    #expect(instance.note(Self.restored(.elsewhere)) == [.whole])
    var lifted = try #require(instance.lifted)
    #expect(lifted["stagedActionIds"] == [0, 1, 2, 3, 4])
    #expect(lifted["actionsById"]?["4"]?["action"] == ["type": "@@ELSEWHERE"])
    #expect(lifted["currentStateIndex"] == 4 && lifted["nextActionId"] == 5)
    #expect(instance.perform(.jump(action: 4, state: nil)) == [], "it is there")
    #expect(instance.receive(.action(4, "clear", state: "[]")) == [.whole])
    lifted = try #require(instance.lifted)
    #expect(lifted["stagedActionIds"] == [0, 1, 2, 3, 4])
    #expect(lifted["actionsById"]?["4"]?["action"] == ["type": "clear"])
  }

  @Test func `What is paused says so, with the state that it is in`() throws {
    var instance = PanelInstance.shopping()
    _ = instance.perform(.rewrite(.pause(true)))
    #expect(instance.receive(.action(4, "clear", state: "[]")) == [.whole])
    let lifted = try #require(instance.lifted)
    #expect(lifted["actionsById"]?.keys == ["0", "1", "2", "3", "4"])
    #expect(lifted["actionsById"]?["4"]?["action"] == ["type": "@@PAUSED", "row": 4])
    #expect(lifted["computedStates"]?.list[4] == ["state": []])
    #expect(lifted["currentStateIndex"] == 4)
    #expect(instance.note(Self.restored(.record(1), newest: 4)) == [.whole])
    #expect(instance.lifted?["currentStateIndex"] == 1)
    #expect(instance.lifted?["actionsById"]?["4"]?["action"] == ["type": "@@PAUSED"])
    _ = instance.note(Self.restored(.elsewhere, newest: 4, request: 2))
    #expect(
      instance.lifted?["computedStates"]?.list[4]["error"]?.string?.contains("is paused") == true)
  }

  @Test func `Integers that JavaScript would change are marked`() throws {
    let text = #"{"a":9007199254740991,"b":-9007199254740992,"c":17,"d":"9007199254740993"}"#
    let record = Record.action(1, "set", #"{"set":{"_0":18446744073709551615}}"#, state: text)
    var instance = PanelInstance.loaded(.ofStore, [])
    let message = try #require(instance.receive(record).first)
    let marked: JSON = [
      "a": 9_007_199_254_740_991, "b": ["$int": "-9007199254740992"], "c": 17,
      "d": "9007199254740993",
    ]
    #expect(instance.frame(message, connection: "c")["payload"]?.inner == marked)
    let lifted = try #require(instance.lifted)
    #expect(lifted["computedStates"]?.list[1]["state"] == marked)
    #expect(
      lifted["actionsById"]?["1"]?["action"]?["payload"] == ["$int": "18446744073709551615"])
    let history = try ForeignHistory(liftedText: instance.liftedText)
    #expect(history.steps[0].state == JSON(ifValid: Array(text.utf8)))
    #expect(history.steps[0].action == ["type": "set", "payload": .number(UInt64.max)])
  }

  // MARK: What there is no room for

  @Test func `A frame has room for so many states, that of where the app is before all`() throws {
    var bounds = PanelInstance.Bounds()
    bounds.frameSizeMax = 20_000
    let blank = String(repeating: " ", count: 1_000)
    let records = (1...100).map { Record.action($0, "step", state: "[\($0)\(blank)]") }
    var instance = PanelInstance.loaded([], records, bounds: bounds)
    func shown() -> [Int] {
      let states = instance.lifted?["computedStates"]?.list ?? []
      return states.indices.filter { states[$0]["state"] != .null }
    }
    #expect(shown().count < 20 && shown().last == 100)
    #expect(instance.liftedText.utf8.count < 60_000)
    #expect(
      instance.lifted?["computedStates"]?.list[50]["error"]?.string?.hasPrefix("left out: ") == true
    )
    // The pointer alone would lead to a state that is not there.
    #expect(instance.note(Self.restored(.record(50), newest: 100)) == [.whole])
    #expect(shown().contains(50) && shown().count < 20)
  }

  @Test func `A state that is not here says whose limit it was`() {
    var bounds = PanelInstance.Bounds()
    bounds.byteCountMax = 5_000
    func text(_ row: Int) -> String { "\"\(String(repeating: "\(row % 10)", count: 1_000))\"" }
    var records = (1...20).map {
      Record.action(SequenceNumber(UInt64($0)), "step", state: text($0))
    }
    records[18].state = .givenUp
    records[17].state = .none
    let instance = PanelInstance.loaded([], records, bounds: bounds)
    let errors = instance.lifted?["computedStates"]?.list.map { $0["error"]?.string ?? "" } ?? []
    #expect(errors[5].hasPrefix("this gateway had to drop the state, 1002 octets: it keeps 5000"))
    #expect(errors[18] == "this row was recorded without a state")
    #expect(errors[19].hasPrefix("the app did not send the state"))
    #expect(errors[20] == "")
  }

  @Test func `What was evicted is history's beginning`() throws {
    var bounds = PanelInstance.Bounds()
    bounds.rowCountMax = 10
    let records = (1...12).map { Record.action($0, "step", ##"{"step":{}}"##, state: "\($0)") }
    var instance = PanelInstance.loaded([], records, bounds: bounds)
    let lifted = try #require(instance.lifted)
    let ids = try #require(lifted["stagedActionIds"]?.list)
    let rows = instance.numbering
    #expect(ids.count == rows.count + 1 && rows.last == 12 && ids.count <= 11)
    let first = try #require(rows.first?.rawValue)
    #expect(lifted["committedState"] == .number(first - 1), "the row before the first shown")
    #expect(lifted["computedStates"]?.list.count == ids.count)
    #expect(lifted["currentStateIndex"] == .number(ids.count - 1))
    let base: [PanelReply] = [
      .reset(
        row: SequenceNumber(first - 1),
        .bytes(Array("\(first - 1)".utf8), contentType: "application/json"))
    ]
    #expect(instance.perform(.jump(action: 0, state: nil)) == base)
    #expect(instance.perform(.jumpToIndex(0, state: nil)) == base)
    #expect(
      instance.seedFrames(.whole).first?["payload"]?.string == "\(first - 1)", "also by Socket.IO")
  }

  @Test func `A row of the history that never came is named as such`() throws {
    var records = PanelInstance.shoppingRecords
    records.remove(at: 1)
    let items = [1, 2, 3].map { Revision.Item(row: $0) }
    let revision = Revision(
      command: "toggle", viewerName: "ada", replay: .exact, isLocked: false, isPaused: false,
      staging: .init(oldest: 0, committed: nil, items: items, current: 3))
    records.append(.revision(4, revision, state: "[]"))
    let instance = PanelInstance.loaded(.ofStore, records)
    let lifted = try #require(instance.lifted)
    #expect(lifted["stagedActionIds"] == [0, 1, 2, 3])
    #expect(lifted["actionsById"]?["2"]?["action"] == ["type": "(row 2 is gone)"])
    #expect(lifted["computedStates"]?.list[2]["error"] != nil)
  }

  // MARK: What happens

  @Test func `Nothing is told before all is loaded, then all at once`() {
    var instance = PanelInstance(id: "i", heartbeat: .of())
    for record in PanelInstance.shoppingRecords { #expect(instance.receive(record) == []) }
    #expect(instance.note(.of(uptime: 1, at: .record(1))) == [])
    #expect(!instance.isLoaded)
    let times = [instance.finishLoading(), instance.finishLoading()]
    #expect(times == [true, false], "only once")
    #expect(instance.isLoaded)
  }

  @Test func `An action is told with its state, a late one with all`() {
    var instance = PanelInstance.shopping()
    let message = PanelMessage.action(
      PanelStep(id: 4, row: 5, action: ["type": "clear"], timestamp: 5_000, state: "[]"))
    #expect(
      instance.receive(.action(5, "clear", ##"{"clear":{}}"##, state: "[]")) == [message])
    #expect(instance.receive(.action(4, "late", state: "[]")) == [.whole])
    #expect(instance.receive(.action(4, "late", state: "[]")) == [], "and only once")
  }

  /// Otherwise a stranger's 64 MiB would become a text for each row, though nobody watches.
  @Test func `A state that fits no frame is not made a text`() {
    var bounds = PanelInstance.Bounds()
    bounds.frameSizeMax = 100
    var instance = PanelInstance.loaded([], PanelInstance.shoppingRecords, bounds: bounds)
    let large = "\"" + String(repeating: "x", count: 99) + "\""
    #expect(instance.receive(.action(4, "grow", state: large)) == [.whole])
  }

  @Test func `A revision changes all`() {
    var instance = PanelInstance.shopping(.ofStore)
    let revision = Revision(
      command: "lock", viewerName: "ada", replay: .exact, isLocked: true, isPaused: false)
    #expect(instance.receive(.revision(4, revision, state: "[]")) == [.whole])
    var broken = Record.revision(5, revision, state: "[]")
    broken.payload = .json("{}")
    #expect(instance.receive(broken) == [])
  }

  static func restored(_ position: Position, newest: SequenceNumber = 3, request: UInt64 = 1)
    -> Restored
  {
    Restored(
      request: request, viewer: ViewerID(rawValue: 9), viewerName: "bob", position: position,
      newestRecord: newest, moveCount: WireCount(request), outcome: .applied)
  }

  static func pointer(_ index: Int) -> PanelMessage {
    .lifted(JSONObject([.init(key: "currentStateIndex", value: .number(index))]))
  }

  @Test func `A move moves the pointer`() {
    var instance = PanelInstance.shopping()
    #expect(instance.note(Self.restored(.record(1))) == [Self.pointer(1)])
    #expect(instance.note(Self.restored(.record(1), request: 2)) == [])
    #expect(instance.note(Self.restored(.initial, request: 3)) == [Self.pointer(0)])
    #expect(instance.pointer == Self.pointer(0), "for who asks")
  }

  @Test func `A heartbeat may tell of a move, too`() {
    var instance = PanelInstance.shopping()
    var heartbeat = Heartbeat.of(uptime: 1, at: .record(2))
    heartbeat.progress.newestRecord = 3
    #expect(instance.note(heartbeat) == [Self.pointer(2)])
    heartbeat.uptime = 2
    #expect(instance.note(heartbeat) == [])
  }

  @Test func `An action after a jump takes the pointer along`() {
    var instance = PanelInstance.shopping()
    _ = instance.note(Self.restored(.record(1)))
    let messages = instance.receive(.action(4, "clear", state: "[]"))
    #expect(messages.count == 2)
    #expect(messages.last == Self.pointer(4))
  }
}
