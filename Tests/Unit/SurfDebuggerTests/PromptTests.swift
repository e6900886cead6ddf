import JSONTools
import JSONTree
import SurfDebugger
import SurfQuery
import SurfTimeline
import SurfViewer
import SurfWire
import TestSupport
import Testing

/// Prompts: the line above the footer.
@Suite struct PromptTests {
  // MARK: Errors

  @Test func `an answer that is wrong stays to be changed, with what is wrong`() {
    var person = Person.atPrimeTime(width: 120)
    person.press("D")
    person.type("{add")
    person.press("Enter")
    #expect(person.promptLine == "dispatch: {add")
    #expect(person.text.contains("cannot read the action: line 1, column 5"))
    person.type(":1}")
    #expect(person.promptLine == "dispatch: {add:1}")
    person.press("Enter")
    let dispatch: [DebuggerEffect] = [.command(one, .dispatch(["add": 1]), serial: 1)]
    #expect(person.takeEffects() == dispatch && !person.promptLine.contains("dispatch:"))
    person.type("12x")
    person.press("Enter")
    #expect(person.promptLine == "row: 12x" && person.text.contains("'12x' is not a row"))
    person.press("Backspace", "Backspace", "Backspace", "3", "Enter")
    #expect(person.shownRow == "3")
  }

  @Test func `an action that the app refuses is there again, to be changed`() {
    var person = Person.atPrimeTime()
    person.press("D")
    person.type("[1]")
    person.press("Enter")
    person.send(.answered(serial: 1, .failed("PrimeTime#11105 refused the action")))
    #expect(person.promptLine.hasPrefix("dispatch: [1] "))
    #expect(person.text.contains("PrimeTime#11105 refused the action"))
    // Keys go into the prompt now, and do not run commands.
    person.press("Backspace", "Backspace", "2", "]")
    #expect(person.promptLine == "dispatch: [2]" && !person.text.contains("refused the action"))
    person.press("Enter")
    person.send(.answered(serial: 2, .applied(.record(9))))
    person.press("D")
    #expect(person.promptLine == "dispatch:")
  }

  @Test func `a person who has gone on is not taken back to a prompt`() {
    var person = Person.atPrimeTime()
    person.press("D")
    person.type("[1]")
    person.press("Enter", "Up")
    person.send(.answered(serial: 1, .failed("PrimeTime#11105 refused the action")))
    #expect(person.promptLine == "! PrimeTime#11105 refused the action")
    person.press("D", "Up")
    #expect(person.promptLine == "dispatch: [1]")
  }

  @Test func `a file that cannot be written is asked about again, and one that exists before`() {
    var person = Person.atPrimeTime(width: 80)
    person.press("Up", "S")
    person.type("no/where.json")
    person.press("Enter")
    let why = "cannot write 'no/where.json': No such file or directory"
    person.send(.filed(serial: 1, .failed(why)))
    #expect(person.promptLine == "save as: no/where.json" && person.text.contains(why))
    person.press("Ctrl-u")
    person.type("a.json")
    person.press("Enter")
    _ = person.takeEffects()
    person.send(.filed(serial: 2, .exists(path: "a.json")))
    person.press("n")
    #expect(person.takeEffects() == [] && person.text.contains("nothing was written"))
    person.press("S")
    person.type("a.json")
    person.press("Enter", "Up")
    person.send(.filed(serial: 3, .exists(path: "a.json")))
    #expect(person.text.contains("a.json exists, and was not replaced: you went on meanwhile"))
    person.press("S")
    person.wait(.seconds(1))
    #expect(!person.text.contains("is not ready yet"))
    person.type("b.json")
    person.press("Enter")
    person.wait(.seconds(1))
    #expect(person.promptLine == "b.json is not ready yet")
    person.send(.filed(serial: 4, .written("saved b.json (row 8)")))
    #expect(person.promptLine == "✓ saved b.json (row 8)")
    person.press("R")
    #expect(person.promptLine == "load: b.json")
    person.press("Enter")
    let load: [DebuggerEffect] = [.load(one, path: "b.json", serial: 5)]
    #expect(person.takeEffects().suffix(1) == load[...])
  }

  @Test func `an answer for an app that has gone stays`() {
    var person = Person.atPrimeTime(width: 120)
    person.press("D")
    person.type("[1]")
    person.catalog.leave(one, saidGoodbye: true)
    person.press("Enter")
    #expect(person.promptLine.hasPrefix("dispatch: [1] "))
    #expect(person.promptLine.hasSuffix("the app is gone; only its history is here"))
    #expect(person.takeEffects() == [])
  }

  // MARK: History

  @Test func `each kind of question has its own history, and Down leads back to what was typed`() {
    var person = Person.atPrimeTime()
    for text in ["[1]", "[2]", "[1]"] {
      person.press("D")
      person.type(text)
      person.press("Enter")
    }
    person.press("R")
    person.type("a.json")
    person.press("Enter", "R", "Up")
    #expect(person.promptLine == "load: a.json")
    person.press("Up", "Esc", "Up", "S", "Up")
    #expect(person.promptLine == "save as: a.json")
    person.press("Esc", "D")
    person.type("[3")
    person.press("Up", "Up")
    #expect(person.promptLine == "dispatch: [2]")
    person.press("Up", "Down")
    #expect(person.promptLine == "dispatch: [1]")
    person.press("Down", "Down")
    #expect(person.promptLine == "dispatch: [3")
    person.press("Esc", "1", "Up")
    #expect(person.promptLine == "row: 1")
  }

  // MARK: Completion

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
    person.press("Tab", "Tab")
    #expect(person.promptLine == #"dispatch: {"add":""#)
    #expect(person.text.contains("2 choices") && person.text.contains(#" "tea""#))
    person.type("t")
    person.press("Tab", "Tab")
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
    person.type("dou")
    person.press("Tab")
    #expect(person.promptLine == "dispatch: double")
    person.press("Ctrl-u", "p", "Tab")
    #expect(person.promptLine == "dispatch: put(at:")
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

  @Test func `a name for a saved state is proposed, and taken unless another is typed`() {
    var person = Person.atPrimeTime()
    person.press("Up", "S")
    #expect(person.promptLine == "save as: PrimeTime-8.json")
    person.press("Enter", "S", "x", "Enter", "S", "Tab", "Backspace", "5", "Enter")
    let saves: [DebuggerEffect] = [
      ("PrimeTime-8.json", 1), ("x", 2), ("PrimeTime-8.jso5", 3),
    ].map {
      .save(one, 8, to: FileTarget($0.0, serial: $0.1))
    }
    #expect(person.takeEffects() == saves)
    var other = Person()
    other.start(one, "../../etc/pass wd")
    other.record(action(1, "a", "1"))
    other.press("S")
    #expect(other.promptLine == "save as: etcpasswd-1.json")
  }

  // MARK: Whatever is typed

  @Test(arguments: 0..<60)
  func `a prompt has the text that its keys make`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var person = Person.atPrimeTime()
    var model = PromptModel()
    for step in 0..<80 {
      let key = model.key(&random)
      let before = model
      person.press(key)
      if key == "Tab" { person.answerCompletions() }
      model.press(key)
      let effects = person.takeEffects()
      for case .command(_, _, let serial) in effects where model.refuses {
        person.send(.answered(serial: serial, .failed("no")))
        model.noteRefusal()
      }
      if key == "Tab", before.isOpen {
        let line = person.promptLine
        let text = String(line.dropFirst(model.label.count + 2).prefix(while: { $0 != " " }))
        #expect(line.hasPrefix(model.label + ":"))
        let begins = text.hasPrefix(before.text) || before.label == "dispatch"
        #expect(begins, "\(seed), \(step): \(before.text) became \(line)")
        if model.isFixed {
          #expect(text == model.shown, "\(seed), \(step)")
        } else {
          model.complete(text)
        }
      }
      let line = person.promptLine
      if model.isOpen {
        let wanted = "\(model.label): \(model.text)".trimmedEnd
        #expect(line.hasPrefix(wanted), "\(seed), \(step), \(key.name): \(wanted), not \(line)")
        let rest = line.dropFirst(wanted.count)
        #expect(rest.isEmpty || rest.first == " ", "\(seed), \(step), \(key.name): \(line)")
      } else {
        #expect(PromptModel.labels.allSatisfy { !line.hasPrefix("\($0): ") || $0 == "find" })
      }
    }
  }
}

/// A simple model of a prompt.
private struct PromptModel {
  static let labels = ["find", "dispatch", "load", "row"]
  private static let openers: [String: CommandKey] = [
    "find": "/", "dispatch": "D", "load": "R", "row": "Ctrl-g",
  ]
  private static let letters = [
    "find": ["c", "o", "("], "dispatch": ["\"", "1", "{", "i"], "load": ["s", "t", "x", "/"],
    "row": ["1", "2", "t", "x"],
  ]
  static let files = ["state-1", "state-2", "xy"]

  private(set) var label = ""
  private(set) var isOpen = false
  private(set) var text = ""
  private var typed = ""
  /// How far back in the history; 0 for what was typed.
  private var depth = 0
  private var histories: [String: [String]] = [:]
  private(set) var refuses = false
  private var tabs = false

  /// The text, or what is proposed instead.
  var shown: String {
    text.isEmpty && label == "load" ? histories["load"]?.last ?? "" : text
  }

  /// Whether the model knows what Tab does.
  var isFixed: Bool { label == "load" || label == "row" }

  mutating func key(_ random: inout SeededGenerator) -> CommandKey {
    refuses = Int.random(in: 0..<3, using: &random) == 0
    guard isOpen else {
      let label = Self.labels.randomElement(using: &random) ?? "find"
      return Self.openers[label] ?? "/"
    }
    if text.count > 12 { return "Ctrl-u" }
    switch Int.random(in: 0..<16, using: &random) {
    case 0, 1: return "Up"
    case 2: return "Down"
    case 3: return "Tab"
    case 4, 5, 6: return "Enter"
    case 7: return "Esc"
    case 8: return "Backspace"
    case 9: return "F9"
    default: return CommandKey(Self.letters[label]?.randomElement(using: &random) ?? "x")
    }
  }

  mutating func press(_ key: CommandKey) {
    if !isOpen {
      label = Self.openers.first { $0.value == key }?.key ?? ""
      isOpen = true
      (text, depth) = ("", 0)
      return
    }
    let history = histories[label] ?? []
    switch key {
    case "Esc": isOpen = false
    case "Enter" where !isWrong:
      isOpen = false
      if !text.isEmpty { histories[label] = history.filter { $0 != text } + [text] }
    case "Enter", "F9": break
    case "Up":
      if depth == 0 { typed = text }
      let older = (depth..<max(depth, history.count)).first {
        history[history.count - 1 - $0] != text
      }
      guard let older else { break }
      depth = older + 1
      text = history[history.count - depth]
    case "Down":
      guard depth > 0 else { break }
      depth -= 1
      text = depth == 0 ? typed : history[history.count - depth]
    case "Tab":
      let words = label == "load" ? Self.files : ["app", "initial", "tip"]
      let found = words.filter { $0.hasPrefix(text) }
      guard let first = found.first, isFixed else { break }
      var common = text
      while found.count == 1
        ? common != first
        : found.allSatisfy({ word in
          word.hasPrefix(common + String(first.dropFirst(common.count).prefix(1)))
            && common.count < first.count
        })
      {
        common = String(first.prefix(common.count + 1))
      }
      complete(common)
    case "Backspace":
      text = String(text.dropLast())
      depth = 0
    case "Ctrl-u": (text, depth) = ("", 0)
    default:
      text += key.name
      depth = 0
    }
  }

  mutating func complete(_ text: String) {
    if text != self.text { depth = 0 }
    self.text = text
  }

  /// The prompt is there again.
  mutating func noteRefusal() { (isOpen, depth) = (true, 0) }

  private var isWrong: Bool {
    switch label {
    case "find":
      do throws(QueryError) { _ = try Query(text) } catch { return error.fault != .empty }
    case "dispatch":
      guard !text.isEmpty else { return false }
      if text.first == "i", text.allSatisfy({ "i1".contains($0) }) { return false }
      do { _ = try JavaScriptLiteral.parse(text) } catch { return true }
    case "row": return RowAddress(text) == nil
    default: break
    }
    return false
  }
}

extension Person {
  /// The line of prompts and notices.
  fileprivate var promptLine: String {
    let line = lines[lines.count - 2].trimmedEnd
    return String(line.dropFirst())
  }

  fileprivate mutating func answerCompletions() {
    for case .complete(let typed) in takeEffects() {
      let names = typed.contains("/") ? [] : PromptModel.files.filter { $0.hasPrefix(typed) }
      send(.names(names, of: typed))
    }
  }
}

extension String {
  fileprivate var trimmedEnd: String { String(reversed().drop { $0 == " " }.reversed()) }
}
