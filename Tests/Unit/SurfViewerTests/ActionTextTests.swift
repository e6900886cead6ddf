import JSONTree
import SurfViewer
import TestSupport
import Testing

@Suite struct ActionTextTests {
  @Test(
    arguments: [
      (#""increment""#, "increment"), (#" {"add":"Buy milk"} "#, ["add": "Buy milk"]),
      (#"{"type":"move","from":1}"#, ["type": "move", "from": 1]), ("null", .null), ("5", 5),
      ("{add: 'Oats'}", ["add": "Oats"]),
    ] as [(String, JSON)])
  func `JSON is itself, in a shell and in a line`(text: String, expected: JSON) throws {
    #expect(try ActionText.actions([text]) == [expected])
    #expect(try ActionText.actions(in: text) == [expected])
  }

  @Test(
    arguments: [
      (["increment"], ["increment", ["type": "increment"]]),
      (
        ["add", "5"],
        [
          ["add": 5], ["add": "5"], ["type": "add", "payload": 5], ["type": "add", "payload": "5"],
        ]
      ),
      (["add", "milk"], [["add": "milk"], ["type": "add", "payload": "milk"]]),
      (["add", "don't"], [["add": "don't"], ["type": "add", "payload": "don't"]]),
      (
        ["move", "from=1"],
        [
          ["move": ["from": 1]], ["move": ["from": "1"]], ["move": "from=1"],
          ["type": "move", "from": 1], ["type": "move", "from": "1"],
          ["type": "move", "payload": "from=1"],
        ]
      ),
    ] as [([String], [JSON])])
  func `words are what an app may call an action`(words: [String], expected: [JSON]) throws {
    #expect(try ActionText.actions(words) == expected)
    #expect(try ActionText.actions(in: " \(words.joined(separator: "  ")) ") == expected)
  }

  @Test func `a number may begin a call's text`() throws {
    #expect(try ActionText.actions(in: "add(2 eggs)") == ActionText.actions(["add", "2", "eggs"]))
  }

  @Test func `several words are several values, or one text`() throws {
    let actions = try ActionText.actions(["add", "Buy", "2", "eggs"])
    let expected: [JSON] = [
      ["add": ["Buy", 2, "eggs"]], ["add": ["Buy", "2", "eggs"]], ["add": "Buy 2 eggs"],
    ]
    #expect(Array(actions.prefix(3)) == expected)
    #expect(try ActionText.actions(in: "add Buy 2 eggs") == actions)
  }

  @Test func `words of which some are in quotation marks may be one text, too`() throws {
    let actions = try ActionText.actions(in: #"add Oats and "milk" "#)
    #expect(
      Array(actions.prefix(2)) == [["add": ["Oats", "and", "milk"]], ["add": #"Oats and "milk""#]])
  }

  @Test(
    arguments: [
      (#"add "Buy milk""#, ["add": "Buy milk"]), ("add '5'", ["add": "5"]),
      (#"put {"title": "a b", n: [1, 2]}"#, ["put": ["title": "a b", "n": [1, 2]]]),
      (#"move from="a b" to=2"#, ["move": ["from": "a b", "to": 2]]),
      (#"add [1, 2] "x""#, ["add": [[1, 2], "x"]]),
    ] as [(String, JSON)])
  func `what is in quotation marks or brackets in a line is one value, and no other`(
    line: String, expected: JSON
  ) throws {
    let actions = try ActionText.actions(in: line)
    #expect(actions.first == expected)
    let isOther = { (action: JSON) in action.object?["type"] == nil && action != expected }
    #expect(actions.filter(isOther).count == (line.hasPrefix("move") ? 1 : 0), "\(actions)")
  }

  @Test(arguments: ["add(Oat milk)", "add(Oat milk", " add( Oat  milk ) "])
  func `a call's one text needs no quotation marks`(line: String) throws {
    #expect(try ActionText.actions(in: line) == ActionText.actions(["add", "Oat", "milk"]))
    #expect(try ActionText.actions(in: line).contains(["add": "Oat milk"]))
  }

  @Test(
    arguments: [
      (#"add("Oats")"#, ["add": "Oats"]), (#"add("5")"#, ["add": "5"]), ("done(1)", ["done": 1]),
      (#"edit(1, "a, b)")"#, ["edit": [1, "a, b)"]]), ("select(nil)", ["select": .null]),
      ("move(from: 1, to: nil)", ["move": ["from": 1, "to": .null]]),
      (#"insert("x", at: [0])"#, ["insert": ["_0": "x", "at": [0]]]),
      ("count.add(-2) ", ["count.add": -2]), (#"say("a \"b\" \u{1F600}")"#, ["say": "a \"b\" 😀"]),
      ("clear()", "clear"),
    ] as [(String, JSON)])
  func `a call is what a list shows, and its values mean nothing else`(
    text: String, expected: JSON
  ) throws {
    let actions = try ActionText.actions(in: text)
    #expect(actions.first == expected && actions.count == 2, "\(actions)")
    #expect(actions.last?.object?["type"]?.string == text.prefix { $0 != "(" }.description)
    #expect(try ActionText.actions([text]) == actions)
  }

  @Test(arguments: [
    (["add", "1", "to=2"], "some of the action's values have labels", #"{"to":2}"#),
    (["add 5"], "'add 5' is one word", ""), (["5", "6"], "the action '5' is already JSON", ""),
  ])
  func `words that mean two things are refused, and both are shown`(
    words: [String], what: String, meaning: String
  ) {
    let error = #expect(throws: ActionTextError.self) { try ActionText.actions(words) }
    #expect(error?.what.hasPrefix(what) == true)
    #expect(error?.meaning.contains(meaning) == true || meaning.isEmpty)
    #expect(error?.advice.isEmpty == false)
  }

  @Test(arguments: [
    ("", "line 1, column 1: the text ends"),
    ("{\n  \"add\": milk }", "line 2, column 10: "),
    ("\"a\" \"b\"", "line 1, column 5: text after the end of the value"),
    ("add(milk, 2)", "line 1, column 5: milk has no quotation marks"),
    ("add({x: milk})", "line 1, column 9: milk has no quotation marks"),
    ("login(…)", "line 1, column 7: unexpected '…'"), ("add(1", "line 1, column 6: "),
    ("add(1) 2", "line 1, column 8: text after the end of the value"),
  ])
  func `what is neither JSON nor a name is shown its place`(text: String, place: String) {
    for error in [
      #expect(throws: ActionTextError.self) { try ActionText.actions([text]) },
      #expect(throws: ActionTextError.self) { try ActionText.actions(in: text) },
    ] {
      #expect(
        error?.what.hasPrefix("cannot read the action: \(place)") == true, "\(text)")
    }
  }

  @Test(arguments: [
    (#"add "Oats"#, "line 1, column 10: the text ends inside a value"),
    (#"add "a"b"#, "line 1, column 8: text after the end of the value"),
    ("put {a", "line 1, column 7: "),
  ])
  func `what a line leaves open is shown its place`(line: String, place: String) {
    let error = #expect(throws: ActionTextError.self) { try ActionText.actions(in: line) }
    #expect(
      error?.what.hasPrefix("cannot read the action: \(place)") == true, "\(line)")
  }

  @Test func `whatever is typed is an action or an error`() {
    let tokens = [
      "add", "a.b", "(", ")", ",", ":", "=", "x=", "\"", "'", "[", "]", "{", "}", " ", "1", "nil",
      "\\", "…", "\u{301}", "\n", "-", "_", "e\u{301}",
    ]
    var random = SeededGenerator(seed: 7)
    var count = 0
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0...7, using: &random)).map { _ in
        tokens[Int.random(in: 0..<tokens.count, using: &random)]
      }.joined()
      do throws(ActionTextError) {
        let actions = try ActionText.actions(in: text)
        #expect(
          !actions.isEmpty && Set(actions.map { $0.text() }).count == actions.count, "\(text)")
        count += 1
      } catch {
        #expect(!error.what.isEmpty)
      }
    }
    #expect(count > 500)
  }

  /// Words without signs mean in a line what they mean in a shell.
  @Test(arguments: 0..<50)
  func `a line of words means what they mean in a shell`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let choices = ["add", "x", "5", "to=2", "on=yes", "null", "a'b", "-", "…", "é", "1}"]
    let words = (0..<Int.random(in: 2...5, using: &random)).map { _ in
      choices[Int.random(in: 0..<choices.count, using: &random)]
    }
    func meaning(_ body: () throws(ActionTextError) -> [JSON]) -> [JSON]? {
      do throws(ActionTextError) { return try body() } catch { return nil }
    }
    let line = words.joined(separator: " ")
    #expect(
      meaning { () throws(ActionTextError) in try ActionText.actions(in: line) }
        == meaning { () throws(ActionTextError) in try ActionText.actions(words) }, "\(line)")
  }
}
