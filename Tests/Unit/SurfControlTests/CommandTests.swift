import JSONTree
import SurfControl
import Testing

@Suite struct CommandTests {
  private static let history = ForeignHistory(
    committed: ["n": 0],
    steps: [
      .init(name: "inc", action: ["type": "inc"], state: ["n": 1]),
      .init(name: "log", action: nil, state: ["n": 1], isSkipped: true),
      .init(name: "dec", action: ["type": "dec"], state: nil),
    ], current: 1)

  static let commands: [(HistoryCommand<UInt64>, String)] = [
    (.dispatch(["add": 1]), #"{"command":"dispatch","action":{"add":1}}"#),
    (.toggle(3, skipped: nil), #"{"command":"toggle","row":3}"#),
    (.toggle(3, skipped: true), #"{"command":"toggle","row":3,"skipped":true}"#),
    (.move(4, before: 2), #"{"command":"reorder","row":4,"before":2}"#),
    (.move(4, before: nil), #"{"command":"reorder","row":4}"#),
    (.sweep, #"{"command":"sweep"}"#), (.commit, #"{"command":"commit"}"#),
    (.rollback, #"{"command":"rollback"}"#), (.reset, #"{"command":"reset"}"#),
    (.pause(true), #"{"command":"pause","on":true}"#),
    (.lock(false), #"{"command":"lock","on":false}"#),
    (.describe, #"{"command":"describe"}"#),
    (.drive(.take(over: false)), #"{"command":"drive","on":true}"#),
    (.drive(.take(over: true)), #"{"command":"drive","on":true,"over":true}"#),
    (.drive(.giveBack), #"{"command":"drive","on":false}"#),
    (
      .replace(history),
      #"{"command":"import","committed":{"n":0},"steps":["#
        + #"{"name":"inc","action":{"type":"inc"},"state":{"n":1}},"#
        + #"{"name":"log","state":{"n":1},"skipped":true},"#
        + #"{"name":"dec","action":{"type":"dec"}}],"current":1}"#
    ),
  ]

  @Test(arguments: commands)
  func aCommandIsThisText(command: HistoryCommand<UInt64>, text: String) throws {
    #expect(String(decoding: command.bytes, as: UTF8.self) == text)
    #expect(try HistoryCommand<UInt64>(parsing: Array(text.utf8)) == command)
  }

  @Test(arguments: [
    ("", "not JSON: line 1, column 1: the text ends"),
    ("[]", "'command' has no usable \"command\""),
    (#"{"command":"x"}"#, "there is no command 'x'"),
    (#"{"command":"toggle","row":"3"}"#, "'toggle' has no usable \"row\""),
    (#"{"command":"toggle","row":1.5}"#, "'toggle' has no usable \"row\""),
    (#"{"command":"reorder","row":1,"before":null}"#, "'reorder' has no usable \"before\""),
    (#"{"command":"import","steps":{}}"#, "'import' has no usable \"steps\""),
    (#"{"command":"import","steps":[1]}"#, "'step' has no usable \"name\""),
    (#"{"command":"import","steps":[{"name":"x"}]}"#, "'step' has no usable \"state\""),
  ])
  func whatIsNoneIsRefusedInWords(text: String, words: String) {
    do throws(ControlError) {
      _ = try HistoryCommand<UInt64>(parsing: Array(text.utf8))
      Issue.record("taken")
    } catch {
      #expect(error.description.hasPrefix(words.prefix(30)), "\(error)")
    }
  }

  @Test func aRevisionIsThisText() throws {
    let revision = Revision(
      command: "toggle", viewerName: "ada", replay: .exact, isLocked: false, isPaused: true,
      staging: .init(
        oldest: 0, committed: ["n": 0],
        items: [.init(row: 1), .init(row: 2, isSkipped: true, state: ["n": 1])], current: 2),
      initial: ["n": 7], creators: [.init(name: "move", arguments: ["from", "_"])])
    let text =
      #"{"command":"toggle","viewer":"ada","exact":true,"locked":false,"paused":true,"#
      + #""oldest":0,"committed":{"n":0},"staged":[{"row":1},"#
      + #"{"row":2,"skipped":true,"state":{"n":1}}],"current":2,"initial":{"n":7},"#
      + #""creators":[{"name":"move","arguments":["from","_"]}]}"#
    #expect(revision.json.text() == text)
    #expect(try Revision(parsing: Array(text.utf8)) == revision)
  }

  @Test func `a revision tells who drives, by an id of any size`() throws {
    for viewer in [0, 0xA1, UInt64.max] {
      let revision = Revision(
        command: "drive", viewerName: "ada", replay: .exact, isLocked: false, isPaused: false,
        driver: .init(viewer: viewer, name: "ada"))
      #expect(try Revision(parsing: revision.json.bytes()) == revision)
    }
    for id in ["", "0x1", "10000000000000000", "-1", "g"] {
      let text =
        #"{"command":"drive","viewer":"ada","driver":{"viewer":"\#(id)","name":"ada"}}"#
      #expect(throws: ControlError.member("viewer", of: "driver")) {
        try Revision(parsing: Array(text.utf8))
      }
    }
  }
}
