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
    #expect(person.promptLine == "save row 8 as: no/where.json" && person.text.contains(why))
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
    #expect(person.promptLine == "save row 8 as: a.json")
    person.press("Esc", "D")
    person.type("[3")
    person.press("Up", "Up")
    #expect(person.promptLine == "dispatch: [2]")
    person.press("Up", "Down")
    #expect(person.promptLine == "dispatch: [1]")
    person.press("Down", "Down")
    #expect(person.promptLine == "dispatch: [3")
    person.press("Esc", "1", "Up")
    #expect(person.promptLine.hasPrefix("row: 1 "))
    #expect(person.promptLine.hasSuffix(" 12 ~1 app tip initial 12:05:30 -2s"))
  }

  @Test func `of a row without a state the one before is saved, and the prompt says which`() {
    var person = Person.atPrimeTime()
    person.record(log(10, .info, "locked"))
    person.press("G", "S")
    #expect(person.promptLine == "save row 8 as: PrimeTime-8.json")
    person.press("Enter")
    guard case .save(one, 8, _)? = person.takeEffects().last else {
      Issue.record("nothing was saved")
      return
    }
  }

  @Test func `a name for a saved state is proposed, and taken unless another is typed`() {
    var person = Person.atPrimeTime()
    person.press("Up", "S")
    #expect(person.promptLine == "save row 8 as: PrimeTime-8.json")
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
    #expect(other.promptLine == "save row 1 as: etcpasswd-1.json")
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
      let isOffered = model.isOpen && person.text.contains(#/\d+ (choices|files) ─/#)
      person.press(key)
      if isOffered, ["Tab", "Shift-Tab", "Down"].contains(key) || key == "Up" && model.isChosen {
        let line = person.promptLine
        let text = String(line.dropFirst(model.label.count + 2).prefix(while: { $0 != " " }))
        #expect(line.hasPrefix(model.label + ":"))
        let isListed = person.lines.contains { $0.contains("│ \(text) ") }
        #expect(isListed || !model.isFixed, "\(seed), \(step): \(text)")
        model.choose(text)
        continue
      }
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

  /// Whether the text is one of several that were offered.
  private(set) var isChosen = false

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
    case 9: return ["F9", "Shift-Tab"].randomElement(using: &random) ?? "F9"
    default: return CommandKey(Self.letters[label]?.randomElement(using: &random) ?? "x")
    }
  }

  mutating func choose(_ text: String) { (self.text, depth, isChosen) = (text, 0, true) }

  mutating func press(_ key: CommandKey) {
    if key != "F9", key != "Shift-Tab" { isChosen = false }
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
    case "Enter", "F9", "Shift-Tab": break
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
      do { _ = try ActionText.actions(in: text) } catch { return true }
    case "row": return RowAddress(text) == nil
    default: break
    }
    return false
  }
}

extension Person {
  /// The line of prompts and notices.
  var promptLine: String {
    let line = lines[lines.count - 2].trimmedEnd.dropFirst()
    guard line.hasPrefix("dispatch: "), let example = line.firstMatch(of: #/ {3,}as /#) else {
      return String(line)
    }
    return String(line[..<example.range.lowerBound])
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
