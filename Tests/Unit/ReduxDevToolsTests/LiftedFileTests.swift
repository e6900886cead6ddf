import Foundation
import JSONTree
import ReduxDevTools
import SurfControl
import SurfWire
import Testing

@Suite struct LiftedFileTests {
  static func fixture(_ name: String) throws -> String {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    return try String(
      contentsOf: folder.appending(path: "Fixtures/\(name)"), encoding: .utf8)
  }

  @Test func `A lifted state has steps, skips and a place`() throws {
    let history = try ForeignHistory(liftedText: Self.fixture("counter.json"))
    #expect(history.committed == ["counter": 0])
    #expect(
      history.steps == [
        .init(
          name: "counter/inc", action: ["type": "counter/inc", "by": 1], state: ["counter": 1]),
        .init(
          name: "counter/inc", action: ["type": "counter/inc", "by": 5], state: ["counter": 1],
          isSkipped: true),
        .init(name: "counter/dec", action: ["type": "counter/dec"], state: ["counter": 0]),
      ])
    #expect(history.current == 1)
  }

  @Test func `Marks of jsan become JSON`() throws {
    let history = try ForeignHistory(liftedText: Self.fixture("marks.json"))
    #expect(history.committed == ["limit": .null, "since": "2025-10-09T08:53:20.000Z"])
    #expect(history.steps.map(\.name) == ["items/set"])
    #expect(history.steps.first?.action == ["type": "items/set", "payload": ["a", "b"]])
    #expect(history.steps.first?.state == ["limit": .null, "items": ["a", "b"]])
  }

  @Test func `After a commit the first step is the committed state`() throws {
    let history = try ForeignHistory(liftedText: Self.fixture("committed.json"))
    #expect(history.committed == ["counter": 7])
    #expect(history.steps.map(\.name) == ["counter/inc", "action 9"])
    #expect(history.current == 1, "the last, if the file does not say")
  }

  @Test(arguments: [#""committedState":null,"#, ""])
  func `Without a committed state the first computed one is where it begins`(
    member: String
  ) throws {
    let text =
      "{" + member + #""actionsById":{"0":{"action":{"type":"@@INIT"}}},"#
      + #""stagedActionIds":[0],"currentStateIndex":0,"computedStates":[{"state":{"n":7}}]}"#
    let first: JSON = ["n": 7]
    #expect(try ForeignHistory(liftedText: text).committed == first)
  }

  @Test func `A history of actions may begin with no state`() throws {
    let text = #"{"payload":"[]","preloadedState":"null","actionsById":{}}"#
    #expect(try ForeignHistory(liftedText: text).committed == nil)
  }

  @Test func `An export of actions alone leaves the states to the app`() throws {
    let history = try ForeignHistory(liftedText: Self.fixture("actions.json"))
    #expect(history.committed == ["counter": 0])
    #expect(history.steps.map(\.name) == ["counter/inc", "counter/dec"])
    #expect(history.steps.allSatisfy { $0.state == nil && $0.action != nil })
    #expect(history.current == 1)
  }

  @Test(arguments: [
    #"[{"type":"seat/book","payload":{"row":4}},{"type":"seat/free"}]"#,
    #"{"payload":[{"type":"seat/book","payload":{"row":4}},{"type":"seat/free"}]}"#,
    #"{"nextLiftedState":[{"type":"seat/book","payload":{"row":4}},{"type":"seat/free"}]}"#,
  ])
  func `A list of actions is a history of them`(text: String) throws {
    let history = try ForeignHistory(liftedText: text)
    #expect(history.steps.map(\.name) == ["seat/book", "seat/free"])
    #expect(history.steps[0].action == ["type": "seat/book", "payload": ["row": 4]])
    #expect(history.steps.allSatisfy { $0.state == nil })
    #expect(history.committed == nil && history.current == 1)
  }

  @Test(arguments: [true, false]) func `A lifted state may be the payload`(isText: Bool) throws {
    let lifted = try Self.fixture("counter.json")
    let payload: JSON = isText ? .string(lifted) : try JSON(parsing: lifted)
    let wrapped: JSON = ["payload": payload]
    #expect(
      try ForeignHistory(liftedText: wrapped.text()) == ForeignHistory(liftedText: lifted))
  }

  @Test func `A byte order mark and half of a surrogate pair refuse no file`() throws {
    let history = try ForeignHistory(
      liftedText: "\u{FEFF}" + #"[{"type":"a\ud800"},{"type":"\udc00\ud83d\ude00\ud800\u0041"}]"#)
    #expect(history.steps.map(\.name) == ["a\u{FFFD}", "\u{FFFD}😀\u{FFFD}A"])
  }

  @Test func `An action that failed has no state`() throws {
    let history = try ForeignHistory(
      liftedText: ##"""
        {"actionsById":{"1":{"action":{"type":"add"}},"2":{"action":{"type":"fail"}}},
         "stagedActionIds":[0,1,2],"computedStates":[{"state":0},{"state":1},{"error":"boom"}]}
        """##)
    #expect(history.steps.map(\.state) == [1, nil])
  }

  @Test func `What is no action is no step, and a state that was left out is computed`() throws {
    let history = try ForeignHistory(
      liftedText: ##"""
        {"actionsById":{"0":{"action":{"type":"@@INIT"}},"1":{"action":{"type":"add"}},
         "2":{"action":{"type":"@@LOG info: @@x"}},"3":{"action":{"type":"add"}},
         "4":{"action":{"type":"@@PAUSED"}}},"stagedActionIds":[0,1,2,3,4],"currentStateIndex":2,
         "computedStates":[{"state":0},{"state":null,"error":"left out"},{"state":1},{"state":2},
         {"state":2}]}
        """##)
    #expect(history.steps.map(\.state) == [nil, 2])
    #expect(history.current == 0)
  }

  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    let error: LiftedFileError?

    init(_ name: String, _ text: String, _ error: LiftedFileError?) {
      testDescription = name
      self.text = text
      self.error = error
    }
  }

  static let states = ##""computedStates":[{"state":1},{"state":2}]"##

  @Test(arguments: [
    Row("no object", "5", .member("computedStates")),
    Row("nothing in it", "{}", .member("computedStates")),
    Row(
      "states that are none", ##"{"computedStates":{},"actionsById":{}}"##,
      .member("computedStates")),
    Row("no actions", "{\(states)}", .member("actionsById")),
    Row("no states", ##"{"actionsById":{},"computedStates":[]}"##, .member("stagedActionIds")),
    Row(
      "fewer ids than states", ##"{"actionsById":{},"stagedActionIds":[0],\##(states)}"##,
      .member("stagedActionIds")),
    Row(
      "ids that are none", ##"{"actionsById":{},"stagedActionIds":[0,"1"],\##(states)}"##,
      .member("stagedActionIds")),
    Row(
      "a state that is missing",
      ##"{"actionsById":{},"computedStates":[{"state":1},{"error":"e"}]}"##,
      .member("computedStates")),
    Row(
      "an undefined state",
      ##"{"actionsById":{},"computedStates":[{"state":1},{"state":{"$jsan":"u"}}]}"##,
      .member("computedStates")),
    Row("actions without states", ##"{"payload":"[]","preloadedState":"1"}"##, nil),
    Row("actions that are none", ##"{"payload":"{}"}"##, .member("payload")),
    Row("text in it that is none", ##"{"nextLiftedState":"{}"}"##, .member("computedStates")),
    Row("the least", ##"{"actionsById":{},\##(states)}"##, nil),
  ])
  func `What is malformed says why`(row: Row) {
    let result = Result { () throws(LiftedFileError) in try ForeignHistory(liftedText: row.text) }
    let error: LiftedFileError? = if case .failure(let error) = result { error } else { nil }
    #expect(error == row.error)
  }

  @Test(arguments: ["", "{", "{\"a\":}", "nul"])
  func `What is no JSON says where`(text: String) {
    let error = #expect(throws: LiftedFileError.self) { try ForeignHistory(liftedText: text) }
    guard case .syntax = error else {
      Issue.record("another error")
      return
    }
    #expect("\(LiftedFileError.member("x"))" == "it has no usable \"x\"")
  }

  struct Place: CustomTestStringConvertible, Sendable {
    let index: Int
    let current: Int?
    var testDescription: String { "\(index)" }
  }

  @Test(arguments: [
    Place(index: 0, current: nil), Place(index: 1, current: 0), Place(index: 2, current: 1),
    Place(index: 3, current: 1), Place(index: .max, current: 1), Place(index: -1, current: nil),
    Place(index: .min, current: nil),
  ])
  func `The place is within the steps`(place: Place) throws {
    let history = try ForeignHistory(
      liftedText: ##"{"actionsById":{},"computedStates":[{"state":1},{"state":2},{"state":3}],"##
        + ##""currentStateIndex":\##(place.index)}"##)
    #expect(history.current == place.current)
  }

  @Test func `With no step there is no place but the beginning`() throws {
    let text = ##"{"actionsById":{},"computedStates":[{"state":5}],"currentStateIndex":3}"##
    let history = try ForeignHistory(liftedText: text)
    #expect(history == ForeignHistory(committed: 5, steps: [], current: nil))
    var instance = PanelInstance.loaded([], [])
    #expect(
      instance.perform(.importText(text))
        == [.reset(row: nil, .bytes(Array("5".utf8), contentType: "application/json"))])
  }

  @Test(arguments: ["nextLiftedState", "liftedState"])
  func `It may be wrapped, as it is or as text`(member: String) throws {
    let text = try Self.fixture("counter.json")
    let expected = try ForeignHistory(liftedText: text)
    let inner = try JSON(parsing: text)
    for json in [inner, .string(text)] {
      let wrapped = JSON.object(JSONObject([.init(key: member, value: json)]))
      #expect(try ForeignHistory(lifted: wrapped) == expected)
      #expect(try ForeignHistory(liftedText: wrapped.text()) == expected)
    }
  }

  @Test func `Our own history comes back as it was`() throws {
    var records = PanelInstance.shoppingRecords
    records.append(
      .revision(
        4,
        Revision(
          command: "toggle", viewerName: "ada", replay: .exact, isLocked: false, isPaused: false,
          staging: .init(
            oldest: 0, committed: nil,
            items: [
              .init(row: 1), .init(row: 2, isSkipped: true),
              .init(row: 3, state: ["milk", "tea"]),
            ], current: 3)),
        state: ##"["milk","tea"]"##))
    let instance = PanelInstance.loaded(.ofStore, records)
    let history = try ForeignHistory(liftedText: instance.liftedText)
    #expect(history.committed == nil, "it begins where the app does")
    #expect(history.steps.map(\.name) == ["add", "add", "add"])
    #expect(history.steps.map(\.action?["payload"]) == ["milk", "eggs", "tea"])
    #expect(
      history.steps.map(\.state) == [["milk"], ["milk", "eggs"], ["milk", "tea"]])
    #expect(history.steps.map(\.isSkipped) == [false, true, false])
    #expect(history.current == 2)
  }

  @Test func `Our own history comes back after a commit`() throws {
    var records = PanelInstance.shoppingRecords
    records.append(
      .revision(
        4,
        Revision(
          command: "commit", viewerName: "ada", replay: .exact, isLocked: false, isPaused: false,
          staging: .init(oldest: 0, committed: ["all"], items: [], current: nil)),
        state: ##"["all"]"##))
    let empty = try ForeignHistory(
      liftedText: PanelInstance.loaded(.ofStore, records).liftedText)
    #expect(empty == ForeignHistory(committed: ["all"], steps: [], current: nil))
    records.append(.action(5, "clear", ##"{"clear":{}}"##, state: "[]"))
    let history = try ForeignHistory(
      liftedText: PanelInstance.loaded(.ofStore, records).liftedText)
    let step = ForeignHistory.Step(name: "clear", action: ["type": "clear"], state: [])
    #expect(history == ForeignHistory(committed: ["all"], steps: [step], current: 0))
  }
}
