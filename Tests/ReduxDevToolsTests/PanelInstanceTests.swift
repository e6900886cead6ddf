import JSONTree
import ReduxDevTools
import SurfControl
import SurfWire
import TestSupport
import Testing

/// What a panel is shown, and told as it happens.
@Suite struct PanelInstanceTests {
  // redux-devtools.md §4, "liftedState".
  @Test func `The history is a lifted state, byte for byte`() {
    let instance = PanelInstance.loaded([], Array(PanelInstance.shoppingRecords.prefix(2)))
    #expect(
      instance.liftedText == ##"{"monitorState":{},"actionsById":{"##
        + ##""0":{"type":"PERFORM_ACTION","action":{"type":"@@INIT"},"timestamp":1000},"##
        + ##""1":{"type":"PERFORM_ACTION","action":{"type":"add","payload":"milk"},"##
        + ##""timestamp":1000},"##
        + ##""2":{"type":"PERFORM_ACTION","action":{"type":"add","payload":"eggs"},"##
        + ##""timestamp":2000}},"##
        + ##""nextActionId":3,"stagedActionIds":[0,1,2],"skippedActionIds":[],"##
        + ##""committedState":null,"currentStateIndex":2,"##
        + ##""computedStates":[{"state":null},{"state":["milk"]},{"state":["milk","eggs"]}],"##
        + ##""isLocked":false,"isPaused":false}"##)
  }

  @Test func `An app that has done nothing has a history, too`() throws {
    let lifted = try #require(PanelInstance.loaded([], []).lifted)
    #expect(lifted["stagedActionIds"] == [0])
    #expect(lifted["currentStateIndex"] == 0)
    #expect(lifted["nextActionId"] == 1)
    #expect(lifted["computedStates"] == [["state": nil]])
  }

  @Test func `The first state is the initial one, once the app has told it`() throws {
    var records = PanelInstance.shoppingRecords
    let told = Revision(
      command: "describe", viewerName: "ada", isExact: true, isLocked: false, isPaused: false,
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
          command: "commit", viewerName: "ada", isExact: true, isLocked: false, isPaused: false,
          staging: commit), state: "[]"))
    #expect(PanelInstance.loaded([], records).lifted?["committedState"] == ["tea"])
  }

  @Test func `A history that begins later does not begin with the initial state`() throws {
    let told = Revision(
      command: "describe", viewerName: "ada", isExact: true, isLocked: false, isPaused: false,
      initial: ["bread"])
    let records: [Record] = [
      .action(7, "add(\"milk\")", state: ##"["milk"]"##), .revision(8, told, state: "[]"),
    ]
    let lifted = try #require(PanelInstance.loaded([], records).lifted)
    #expect(lifted["committedState"] == ["milk"])
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
          command: "reorder", viewerName: "ada", isExact: true, isLocked: true, isPaused: true,
          staging: staging), state: "[]"))
    records.append(.action(5, "clear", ##"{"clear":{}}"##, state: "[]"))
    let instance = PanelInstance.loaded(.takesCommands, records)
    let lifted = try #require(instance.lifted)
    #expect(lifted["stagedActionIds"] == [0, 3, 1, 2, 5])
    #expect(lifted["skippedActionIds"] == [1])
    #expect(lifted["actionsById"]?.keys == ["0", "3", "1", "2", "5"])
    #expect(lifted["committedState"] == ["bread"])
    #expect(
      lifted["computedStates"]?.list.map { $0["state"] } == [
        ["bread"], ["milk", "eggs", "tea"], ["x"], ["milk", "eggs"], [],
      ])
    #expect(lifted["currentStateIndex"] == 4)
    #expect(lifted["nextActionId"] == 6)
    #expect(lifted["isLocked"] == true && lifted["isPaused"] == true)
  }

  @Test(arguments: [nil, 1, 2, 3] as [SequenceNumber?])
  func `After a rewrite the app is where it was left`(row: SequenceNumber?) throws {
    var records = PanelInstance.shoppingRecords
    let items = [1, 2, 3].map { Revision.Item(row: $0) }
    let revision = Revision(
      command: "toggle", viewerName: "ada", isExact: true, isLocked: false, isPaused: false,
      staging: .init(oldest: 0, committed: nil, items: items, current: row?.rawValue))
    records.append(.revision(4, revision, state: "[]"))
    let lifted = try #require(PanelInstance.loaded(.takesCommands, records).lifted)
    #expect(lifted["currentStateIndex"] == .number(row ?? 0))
  }

  @Test func `States that are no JSON are shown as what they are, and keep the text whole`() throws
  {
    var records = PanelInstance.shoppingRecords
    records[0].state = .whole(Content(type: "application/x-plist", bytes: [1, 2, 3]))
    records[1].state = .whole(.json("{broken"))
    records[2].state = .givenUp
    let lifted = try #require(PanelInstance.loaded([], records).lifted)
    let states = try #require(lifted["computedStates"]?.list)
    #expect(states[1] == ["state": ["$base64": "AQID", "contentType": "application/x-plist"]])
    #expect(
      states[2] == ["state": ["$base64": "e2Jyb2tlbg==", "contentType": "application/json"]])
    #expect(states[3]["state"] == JSON.null)
    #expect(states[3]["error"]?.text == "the app was too busy to send this state")
  }

  @Test func `Other kinds of JSON are JSON`() throws {
    var records = PanelInstance.shoppingRecords
    records[0].state = .whole(Content(type: "application/geo+json", bytes: Array("[1]".utf8)))
    let lifted = try #require(PanelInstance.loaded([], records).lifted)
    #expect(lifted["computedStates"]?.list[1] == ["state": [1]])
  }

  @Test func `Logs and values are no actions`() throws {
    var records = PanelInstance.shoppingRecords
    records.append(Record(sequence: 4, kind: .log(.info), name: "hello"))
    records.append(Record(sequence: 5, kind: .update, name: "speed", state: .whole(.json("1"))))
    var instance = PanelInstance.loaded([], records)
    #expect(instance.lifted?["stagedActionIds"] == [0, 1, 2, 3])
    #expect(instance.receive(Record(sequence: 6, kind: .mark, name: "here")) == [])
  }

  // MARK: What there is no room for

  @Test func `A panel's room is for whole states, however few octets differ`() {
    var bounds = PanelInstance.Bounds()
    bounds.byteCountMax = 20_000
    let blank = String(repeating: " ", count: 1_000)
    let records = (1...100).map { Record.action($0, "step", state: "[\($0)\(blank)]") }
    let instance = PanelInstance.loaded([], records, bounds: bounds)
    #expect((15_000..<30_000).contains(instance.liftedText.filter { $0 == " " }.count))
    #expect(instance.lifted?["computedStates"]?.list.count == 101)
  }

  @Test func `What was evicted is history's beginning`() throws {
    var bounds = PanelInstance.Bounds()
    bounds.rowCountMax = 10
    let records = (1...12).map { Record.action($0, "step", ##"{"step":{}}"##, state: "\($0)") }
    var instance = PanelInstance.loaded([], records, bounds: bounds)
    let lifted = try #require(instance.lifted)
    let ids = try #require(lifted["stagedActionIds"]?.list)
    #expect(ids.first == 0 && ids.last == 12 && ids.count <= 11)
    guard case .number(let number) = ids[1], let first = UInt64(number.literal) else {
      Issue.record("no row")
      return
    }
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
      instance.seedFrames(.whole).first?["payload"]?.text == "\(first - 1)", "also for the seed's")
  }

  @Test func `A row of the history that never came is named as such`() throws {
    var records = PanelInstance.shoppingRecords
    records.remove(at: 1)
    let items = [1, 2, 3].map { Revision.Item(row: $0) }
    let revision = Revision(
      command: "toggle", viewerName: "ada", isExact: true, isLocked: false, isPaused: false,
      staging: .init(oldest: 0, committed: nil, items: items, current: 3))
    records.append(.revision(4, revision, state: "[]"))
    let instance = PanelInstance.loaded(.takesCommands, records)
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
      PanelStep(id: 5, action: ["type": "clear"], timestamp: 5_000, state: "[]"))
    #expect(
      instance.receive(.action(5, "clear", ##"{"clear":{}}"##, state: "[]")) == [message])
    #expect(instance.receive(.action(4, "late", state: "[]")) == [.whole])
    #expect(instance.receive(.action(4, "late", state: "[]")) == [], "and only once")
  }

  @Test func `A revision changes all`() {
    var instance = PanelInstance.shopping(.takesCommands)
    let revision = Revision(
      command: "lock", viewerName: "ada", isExact: true, isLocked: true, isPaused: false)
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

  @Test func `Another viewer's move moves the pointer, an own one does not`() {
    var instance = PanelInstance.shopping()
    #expect(instance.note(Self.restored(.record(1)), isOwn: false) == [Self.pointer(1)])
    #expect(instance.note(Self.restored(.record(1), request: 2), isOwn: false) == [])
    #expect(instance.note(Self.restored(.initial, request: 3), isOwn: false) == [Self.pointer(0)])
    #expect(instance.note(Self.restored(.record(2), request: 4), isOwn: true) == [])
    #expect(instance.lifted?["currentStateIndex"] == 2)
    #expect(
      instance.note(Self.restored(.elsewhere, request: 5), isOwn: false) == [],
      "nowhere that a panel knows")
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
    _ = instance.note(Self.restored(.record(1)), isOwn: true)
    let messages = instance.receive(.action(4, "clear", state: "[]"))
    #expect(messages.count == 2)
    #expect(messages.last == Self.pointer(4))
  }
}
