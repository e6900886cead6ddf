import JSONTree
import SurfDebugger
import SurfTimeline
import SurfViewer
import SurfWire
import TestSupport
import Testing

/// What Tab makes of the text in a prompt, and how a person chooses among what it offers.
@Suite struct CompletionTests {
  @Test func `Tab completes an action by its name, its fields and their values`() {
    var person = Person()
    person.start(one)
    person.record(
      action(1, "increment", "1"), action(2, "add(\"milk\")", "2", payload: #"{"add":"milk"}"#),
      action(3, "add(\"tea\")", "3", payload: #"{"add":"tea"}"#),
      action(4, "move(from: 1, to: 2)", "4", payload: #"{"move":{"from":1,"to":2}}"#))
    person.press("D")
    #expect(
      person.text.contains("3 choices") && person.text.contains("move(from: …, to: …)"))
    #expect(person.text.contains("increment  ") && person.text.contains("add(…)"))
    person.type("m")
    #expect(!person.text.contains("3 choices"))
    person.press("Tab")
    #expect(person.promptLine == "dispatch: move(from:")
    person.type("5")
    person.press("Tab")
    #expect(person.promptLine == "dispatch: move(from: 5, to:")
    person.press("Ctrl-u")
    person.type("move(from:5,to:")
    person.press("Tab")
    person.type("7")
    person.press("Tab")
    #expect(person.promptLine == "dispatch: move(from:5,to: 7)")
    person.press("Ctrl-u")
    person.type("add ")
    person.press("Tab")
    // A parenthesis would be the first letter of a bare word.
    #expect(person.promptLine.hasPrefix("dispatch: add") && !person.promptLine.contains("("))
    person.press("Ctrl-u")
    person.type("move(from: 5, to: 7)")
    person.press("Tab", "Enter")
    let move: [DebuggerEffect] = [
      .command(one, .dispatch(["move": ["from": 5, "to": 7]]), serial: 1)
    ]
    #expect(person.takeEffects().suffix(1) == move[...])
    person.press("D")
    person.type(#"{"add":"#)
    person.press("Tab")
    #expect(person.promptLine == #"dispatch: {"add":""#)
    #expect(person.text.contains("2 choices") && person.text.contains(#" "tea""#))
    person.press("Tab")
    #expect(person.promptLine == #"dispatch: {"add":"tea""#)
    person.press("Backspace", "Backspace", "Backspace", "Tab", "Tab")
    #expect(person.promptLine == #"dispatch: {"add":"tea"}"#)
    person.press("Ctrl-u")
    person.type(#"{"add":"oats"#)
    person.press("Tab")
    #expect(person.promptLine == #"dispatch: {"add":"oats"}"#)
    person.press("Ctrl-u")
    person.type(#"{"add":"oats\"#)
    person.press("Tab")
    #expect(person.promptLine.hasPrefix(#"dispatch: {"add":"oats\ "#))
    person.press("Ctrl-u")
    person.type("nothing")
    person.press("Tab")
    #expect(person.promptLine.contains("nothing begins with 'nothing'"))
  }

  @Test func `letters narrow the choices, and an example shows the values of the last time`() {
    var person = Person()
    person.start(one)
    person.record(
      action(1, "add(\"milk\")", "1", payload: #"{"add":"milk"}"#), action(2, "advance", "2"),
      action(3, "move(from: 1, to: 2)", "3", payload: #"{"move":{"from":1,"to":2}}"#))
    person.press("D")
    person.type("ad")
    #expect(person.text.contains("2 choices") && !person.text.contains("move(from: …"))
    person.press("Down", "Down")
    #expect(person.promptLine == "dispatch: add(")
    #expect(person.text.contains(#"   as add("milk")"#))
    person.press("Ctrl-u")
    person.type("move 3 4")
    #expect(person.text.contains("   as move(from: 1, to: 2)") && !person.text.contains("choice"))
    person.press("Ctrl-u")
    person.type("m")
    person.press("Tab", "Tab")
    #expect(person.promptLine == "dispatch: move(from: 1")
    person.press("Ctrl-u")
    person.type("a")
    person.press("Tab")
    #expect(person.promptLine == "dispatch: ad")
    person.press("Tab")
    #expect(person.promptLine == "dispatch: advance")
    person.press("Ctrl-u")
    person.type("unknown(")
    #expect(!person.text.contains("   as "))
  }

  @Test func `Tab offers the actions that the app says it has`() {
    var person = Person()
    person.start(one)
    let description = #"""
      {"command":"describe","viewer":"bob","replay":"exact","creators":[{"name":"double",
      "arguments":[]},{"name":"add","arguments":["_ number"]},{"name":"put","arguments":["at","what"]}]}
      """#
    person.record(
      action(1, "add(2)", "2", payload: #"{"add":2}"#),
      Record(sequence: 2, kind: .revision, name: "described", payload: json(description)))
    person.press("D", "Tab")
    #expect(
      person.text.contains("3 choices") && person.text.contains("put(at: …, what: …)"))
    person.press("Ctrl-u")
    person.type("dou")
    person.press("Tab")
    #expect(person.promptLine == "dispatch: double")
    person.press("Ctrl-u", "p", "Tab")
    #expect(person.promptLine == "dispatch: put(at:")
  }

  @Test func `an app is asked once for the actions that it has, and the list grows`() {
    var person = Person()
    person.start(one)
    person.record(action(1, "add(2)", "2", payload: #"{"add":2}"#))
    #expect(person.described == [])
    person.press("D")
    #expect(person.described == [one])
    #expect(person.text.contains("1 choice ─"))
    let told = #"""
      {"command":"describe","viewer":"bob","replay":"exact","initial":0,"creators":
      [{"name":"double","arguments":[]},{"name":"add","arguments":["_ number"]}]}
      """#
    person.record(Record(sequence: 2, kind: .revision, name: "described", payload: json(told)))
    #expect(person.text.contains("2 choices ─") && person.text.contains("│ double "))
    person.press("Esc", "D")
    #expect(person.text.contains("2 choices ─"))
    #expect(person.described == [one])
  }

  @Test func `a list does not change under what a person has typed or chosen`() {
    for keys in [["a"], ["Tab"]] as [[CommandKey]] {
      var person = Person()
      person.start(one)
      person.record(action(1, "add(2)", "2", payload: #"{"add":2}"#))
      person.press("D")
      for key in keys { person.press(key) }
      let line = person.promptLine
      let told = #"""
        {"command":"describe","viewer":"bob","replay":"exact","initial":0,"creators":
        [{"name":"double","arguments":[]}]}
        """#
      person.record(Record(sequence: 2, kind: .revision, name: "described", payload: json(told)))
      #expect(person.promptLine == line && !person.text.contains("│ double "))
    }
  }

  @Test(arguments: 0..<20)
  func `Tab, Shift-Tab, Down and Up choose among what is offered`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var person = Person()
    person.start(one)
    person.press("D")
    person.type("earlier")
    person.press("Enter", "Esc")
    let names = (1...Int.random(in: 2...25, using: &random)).map { "act\($0)" }
    for (index, name) in names.enumerated() {
      person.record(action(UInt64(index + 1), name, "\(index)"))
    }
    // The latest first, as the box lists them.
    let offered = Array(names.reversed())
    person.press("D")
    var chosen: Int?
    var text = ""
    for _ in 0..<60 {
      let key: CommandKey = ["Tab", "Tab", "Down", "Shift-Tab", "Up"].randomElement(using: &random)!
      person.press(key)
      switch (key, chosen) {
      case ("Up", nil):
        // An earlier answer takes the place of what was offered.
        #expect(person.promptLine.hasPrefix("dispatch: earlier"))
        return
      case ("Tab", nil), ("Down", nil): chosen = 0
      case ("Shift-Tab", nil): chosen = offered.count - 1
      case ("Tab", let index?), ("Down", let index?): chosen = (index + 1) % offered.count
      case ("Shift-Tab", let index?), ("Up", let index?):
        chosen = (index + offered.count - 1) % offered.count
      default: Issue.record("\(key)")
      }
      text = chosen.map { offered[$0] } ?? ""
      #expect(person.promptLine == "dispatch: \(text)")
      #expect(person.lines.contains { $0.contains("│ \(text) ") })
    }
    person.type("x")
    #expect(person.promptLine == "dispatch: \(text)x" && !person.text.contains("choices"))
  }

  @Test func `a name that only JSON spells is completed, and a choice begins its JSON`() {
    var person = Person()
    person.start(one)
    person.record(
      action(1, "addTodo", "1", payload: #"{"type":"addTodo","text":"x"}"#),
      action(2, "addUser", "2", payload: #"{"type":"addUser","text":"y"}"#))
    person.press("D")
    person.type("ad")
    person.press("Tab")
    #expect(person.promptLine == "dispatch: add" && person.text.contains("2 choices"))
    person.press("Tab")
    #expect(person.promptLine == #"dispatch: {"type":"addUser","text":"#)
  }

  @Test func `an action with an enum's case is one choice, whatever the case was`() {
    var person = Person()
    person.start(one)
    for (number, value) in ["open", "done", "all"].enumerated() {
      var record = action(UInt64(number + 1), "filter.\(value)", "{}")
      record = Record(
        sequence: record.sequence, kind: .action, name: record.name,
        payload: Content(
          type: "application/json", bytes: Array("{\"filter\":\"\(value)\"}".utf8)),
        state: record.state)
      person.record(record)
    }
    person.press("D")
    #expect(person.text.contains("filter(…)") && person.text.contains("1 choice"))
    person.type("fi")
    person.press("Tab")
    #expect(person.promptLine.hasPrefix("dispatch: filter("))
  }

  @Test func `two shapes that begin alike are one choice`() {
    var person = Person()
    person.start(one)
    person.record(
      action(1, "add(1)", "1", payload: #"{"add":1}"#),
      action(2, "add(1, 2)", "2", payload: #"{"add":[1,2]}"#),
      action(3, "clear", "3"))
    person.press("D")
    #expect(person.text.contains("3 choices"))
    var lines: [String] = []
    for _ in 0..<4 {
      person.press("Tab")
      lines.append(person.promptLine)
    }
    #expect(lines == ["clear", "add(", "clear", "add("].map { "dispatch: \($0)" })
  }

  @Test(arguments: [
    (#"{"add":"milk"}"#, "add(…)", #"add("tea")"#, #"{"add":"tea"}"#),
    (#"{"move":[1,2]}"#, "move(…, …)", "move(3, 4)", #"{"move":[3,4]}"#),
    (#"{"move":[1]}"#, "move(…)", "move([2])", #"{"move":[2]}"#),
    (
      #"{"go":{"to":{"x":1}}}"#, #"go(to: {"x":…})"#, #"go(to: {"x":2})"#,
      #"{"go":{"to":{"x":2}}}"#
    ),
    // A call would mean something else.
    (#"{"go":{}}"#, #"{"go":{}}"#, #"{"go":{}}"#, #"{"go":{}}"#),
    (#"{"go":{"a b":1}}"#, #"{"go":{"a b":…}}"#, #"{"go":{"a b":2}}"#, #"{"go":{"a b":2}}"#),
    (#"{"a b":1}"#, #"{"a b":…}"#, #"{"a b":2}"#, #"{"a b":2}"#),
    (
      #"{"type":"add","payload":1}"#, #"{"type":"add","payload":…}"#,
      #"{"type":"add","payload":2}"#, #"{"type":"add","payload":2}"#
    ),
  ])
  func `an action is offered as the list spells it, and sent as the app spelled it`(
    payload: String, label: String, typed: String, sent: String
  ) throws {
    var person = Person()
    person.start(one)
    person.record(
      action(1, "go", "1", payload: payload), action(2, "increment", "2"))
    person.press("D")
    #expect(person.text.contains(" \(label) "))
    person.type(typed)
    person.press("Tab")
    #expect(person.promptLine == "dispatch: \(typed)")
    person.press("Enter")
    let dispatch: [DebuggerEffect] = [.command(one, .dispatch(try JSON(parsing: sent)), serial: 1)]
    #expect(person.takeEffects().suffix(1) == dispatch[...])
  }

  @Test func `Tab completes the paths, fields and words of a query`() {
    var person = Person.atPrimeTime()
    person.press("f")
    person.type("us")
    person.press("Tab")
    #expect(person.promptLine.hasPrefix("filter: user "))
    person.press("Tab")
    #expect(person.promptLine.hasPrefix("filter: user. "))
    #expect(person.text.contains("2 choices") && person.text.contains("user.age"))
    person.type("n")
    person.press("Tab")
    person.type(" chan")
    person.press("Tab")
    person.type(" and (before.cou")
    person.press("Tab")
    #expect(person.promptLine.hasPrefix("filter: user.name changed and (before.count "))
    for (typed, wanted) in [
      ("kind:lo", "kind:log"), ("-level:war", "-level:warning"), ("ki", "kind:"),
      ("name:isPrime,inc", "name:isPrime,increment"), ("becom", "becomes"),
      ("\"a us", "\"a us"),
    ] {
      person.press("Ctrl-u")
      person.type(typed)
      person.press("Tab")
      #expect(person.promptLine.hasPrefix("filter: \(wanted) "), "\(person.promptLine)")
    }
  }

  @Test func `Tab behind a list offers its elements, and keys with any name`() {
    var person = Person()
    person.start(one)
    person.record(action(1, "a", #"{"todos":[{"a b":1,"title":"x"},{}],"todo":1}"#))
    person.press("/")
    for (typed, wanted) in [
      ("tod", "todo"), ("todos", "todos["), ("todos[0]", "todos[0]"),
      ("todos[0].t", "todos[0].title"), ("todos[0][", "todos[0][\"a b\"]"),
      ("state.todos[1", "state.todos[1]"), ("todos[7].", "todos[7]."),
    ] {
      person.press("Ctrl-u")
      person.type(typed)
      person.press("Tab")
      #expect(person.promptLine.hasPrefix("find: \(wanted) "), "\(person.promptLine)")
    }
  }
}
