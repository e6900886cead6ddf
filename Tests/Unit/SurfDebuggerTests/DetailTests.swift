import JSONTools
import JSONTree
import SurfDebugger
import SurfViewer
import SurfWire
import TerminalScreen
import TestSupport
import Testing

/// Reading long values in the detail pane, and finding a text there.
@Suite struct DetailTests {
  /// A person in the State tab of a row with this state.
  private func person(in state: JSON, width: Int = 100) -> Person {
    var person = Person(width: width)
    person.start(one)
    person.record(action(1, "load", state.text()))
    person.press("]", "Tab")
    return person
  }

  private func path(by person: inout Person) -> String? {
    _ = person.takeEffects()
    person.press("y", "p")
    guard case .copy(let request) = person.takeEffects().last,
      case .bytes(let bytes) = request.content
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func find(_ text: String, by person: inout Person) {
    person.press("/")
    person.type(text)
    person.press("Enter")
    person.wait(.seconds(1))
  }

  @Test func `a slash searches the pane that has the keys`() {
    var person = person(in: ["user": ["name": "Ada"], "names": ["x", "Adam"]])
    find("ada", by: &person)
    #expect(path(by: &person) == "user.name")
    #expect(person.text.contains("find in State: ada   1 of 2   n N"))
    person.press("n")
    #expect(path(by: &person) == "names[1]")
    #expect(person.text.contains("2 of 2"))
    person.press("n", "N")
    #expect(path(by: &person) == "names[1]")
    person.press("Tab", "/")
    person.type("load")
    person.wait(.seconds(1))
    #expect(person.text.contains("find: load"))
  }

  @Test func `another row is searched anew, and Esc ends the search before it leaves the pane`() {
    var person = person(in: ["a": "x"])
    find("two", by: &person)
    #expect(person.text.contains("find in State: two   0 found"))
    person.press("n")
    #expect(person.text.contains("nothing found for two"))
    person.record(action(2, "load", #"{"a":"x","b":["two"]}"#))
    person.wait(.seconds(10))
    #expect(person.text.contains("find in State: two   1 found"))
    person.press("n")
    #expect(path(by: &person) == "b[0]")
    // It is deep in what is open, and Esc still ends the search first.
    person.press("Esc")
    #expect(!person.text.contains("find in State") && path(by: &person) == "b[0]")
    person.press("n")
    #expect(person.text.contains("nothing is searched for"))
  }

  @Test(arguments: [("a over 5", true), ("kind:log", true), ("a", false), ("zebra a", false)])
  func `a query in the pane of values is told where it belongs`(text: String, isQuery: Bool) {
    var person = person(in: ["a": "x"])
    find(text, by: &person)
    let hint = "0 found as text · a query searches rows, from the list: Tab /"
    #expect(person.text.contains(hint) == isQuery)
  }

  @Test func `a search that begins before the row is read goes on in it`() {
    for early in [nil, #"{"needle":0}"#] {
      var person = Person()
      person.start(one)
      if let early { person.record(action(1, "load", early)) }
      person.press("]", "Tab")
      person.beginReading()
      person.record(action(2, "load", #"{"a":1,"b":{"needle":2}}"#))
      find("needle", by: &person)
      let count = early == nil ? "0… found" : "1 of 1…"
      #expect(person.text.contains("find in State: needle   \(count)   n N"))
      if early == nil {
        person.press("n")
        #expect(person.text.contains("nothing found yet for needle"))
      }
      person.endReading()
      person.wait(.seconds(10))
      #expect(person.text.contains("find in State: needle   1 of 1   n N"))
      #expect(path(by: &person) == "b.needle")
    }
  }

  @Test func `a search in Diff finds paths, and old values as well as new ones`() {
    var person = Person()
    person.start(one)
    person.record(
      action(1, "a", #"{"list":[{"title":"milk"}],"same":{"drink":"milk"}}"#),
      action(2, "b", #"{"list":[{"title":"bread"}],"same":{"drink":"milk"}}"#))
    person.press("Tab")
    find("title", by: &person)
    #expect(path(by: &person) == "list[0].title")
    person.record(action(3, "c", #"{"list":[{"title":{"x":1}}],"same":{"drink":"milk"}}"#))
    find("bread", by: &person)
    #expect(path(by: &person) == "list[0].title")
    find("drink", by: &person)
    #expect(path(by: &person) == "same.drink")
    #expect(person.text.contains("▾ unchanged 1"))
  }

  @Test func `Esc in the prompt leads back to where the search began`() {
    var person = person(in: ["a": 1, "b": ["needle": 2]])
    person.press("Down", "/")
    person.type("needle")
    person.wait(.seconds(1))
    #expect(person.text.contains("needle: 2"))
    person.press("Esc")
    #expect(path(by: &person) == "a")
    #expect(person.text.contains("▸ b: {needle: 2}"))
  }

  @Test(arguments: 0..<60)
  func `a search finds all keys and values with a text, in order`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let value = random.distinct(try random.value(depth: 4))
    for text in ["a", "2", "s", "zz"] {
      var person = person(in: value)
      find(text, by: &person)
      let wanted = value.places(with: text).map { "\($0)" }
      #expect(person.text.contains("of \(wanted.count)   n N") != wanted.isEmpty)
      for place in wanted {
        #expect(path(by: &person) == place, "\(text) in \(value.text())")
        person.press("n")
      }
      for place in wanted.reversed() {
        person.press("N")
        #expect(path(by: &person) == place, "\(text) in \(value.text())")
      }
    }
  }

  @Test func `a hit among many members is laid open`() {
    let members = (0..<30_000).map {
      JSONObject.Member(key: "k\($0)", value: [["in": .number($0)]])
    }
    var person = person(in: .object(JSONObject(members)))
    find("29876", by: &person)
    #expect(person.text.contains("1 of 2"))
    person.press("n")
    #expect(path(by: &person) == "k29876[0].in")
    #expect(person.text.contains("in: 29876"))
  }

  @Test func `a hit stays under the cursor while its list grows at the beginning`() {
    func todos(_ ids: [Int]) -> JSON {
      let todos = ids.map { ["id": .number($0), "title": .string("todo \($0).")] as JSON }
      return ["todos": .array(todos)]
    }
    var person = person(in: todos([1, 2, 3]))
    find("todo 2.", by: &person)
    #expect(path(by: &person) == "todos[1].title")
    for row in 2..<200 {
      person.record(action(UInt64(row), "add", todos([row + 2, 1, 2, 3]).text()))
      person.wait(.seconds(1))
      #expect(person.text.contains("1 of 1   n N") && person.text.contains("FOLLOW"))
    }
    #expect(path(by: &person) == "todos[2].title")
    // Its run of a hundred was folded before.
    person.record(action(200, "add", todos(Array(10...300) + [2]).text()))
    person.wait(.seconds(1))
    #expect(path(by: &person) == "todos[291].title")
    #expect(person.text.contains("1 of 1   n N"))
  }

  @Test func `a hit beyond the end of a line is scrolled into sight, and back`() {
    let long = String(repeating: "a", count: 50) + "needle"
    var person = person(in: ["first needle": 1, "second": .string(long)], width: 50)
    find("needle", by: &person)
    #expect(person.text.contains("1 of 2") && person.text.contains("first needle: 1"))
    person.press("n")
    #expect(person.text.contains("aaneedle\"") && !person.text.contains("second:"))
    person.press("n")
    #expect(person.text.contains("first needle: 1"))
    person.press("W", "n")
    #expect(person.text.contains("second:") && person.text.contains("aaneedle\""))
  }

  @Test func `a hit on the cursor's own line is scrolled into sight, and Esc scrolls back`() {
    let long = String(repeating: "日", count: 16) + "needle"
    var person = person(in: ["second": .string(long)], width: 50)
    person.press("Down")
    for last: CommandKey in ["Enter", "Esc"] {
      person.press("/")
      for count in 1...6 {
        person.type(String("needle".dropFirst(count - 1).prefix(1)))
        person.wait(.seconds(1))
        #expect(person.text.contains("日" + "needle".prefix(count)))
      }
      person.press(last)
      if last == "Enter" { person.press("Esc") }
      #expect(person.text.contains("second: "), "\(last)")
    }
  }

  @Test func `of a text with very many lines the first are searched, and no hit is lost`() {
    let lines = (1...30_000).map { [10, 25_000].contains($0) ? "needle" : "line \($0)" }
    var person = person(in: ["text": .string(lines.joined(separator: "\n")), "z": "needle"])
    find("needle", by: &person)
    #expect(person.text.contains("1 of 2 or more"))
    person.press("n")
    #expect(path(by: &person) == "z")
    person.press("n")
    #expect(path(by: &person) == "text" && person.text.contains("1 of 2 or more"))
  }

  @Test func `each line of a long text with a hit is one, and is laid open`() {
    let lines = (1...300).map { $0 % 100 == 0 ? "needle \($0)" : "line \($0)" }
    let text = JSON.string(lines.joined(separator: "\n"))
    var person = person(in: ["needle": text, "other": "needle"])
    find("needle", by: &person)
    #expect(person.text.contains("1 of 5") && path(by: &person) == "needle")
    for (index, number) in [100, 200, 300].enumerated() {
      person.press("n")
      #expect(person.text.contains("\(index + 2) of 5"))
      #expect(person.text.contains("needle \(number)"))
    }
    person.press("n")
    #expect(person.text.contains("5 of 5") && path(by: &person) == "other")
    person.press("N", "N")
    #expect(person.text.contains("3 of 5") && person.text.contains("needle 200"))
  }

  @Test func `the rule below shows the path, cut at its beginning`() {
    let deep: JSON = ["customers": ["addresses": ["secondary": ["streetName": "High Street"]]]]
    var person = person(in: deep, width: 60)
    person.press("=")
    person.press("End")
    #expect(person.lines[25].contains("─ customers.addresses.secondary.streetName ─"))
    person.send(.size(ScreenSize(width: 40, height: 20)))
    #expect(person.lines[15].contains("─ …rs.addresses.secondary.streetName ─"))
  }

  @Test func `long lines are wrapped by a key, or read by scrolling sideways`() {
    let text = (1...9).map { "value\($0)" }.joined(separator: " ")
    var person = person(in: ["list": [.string(text)]], width: 60)
    person.press("Down")
    let wide = #"["value1 value2 value3 value4 value5 value6"#
    #expect(person.text.contains(wide) && !person.text.contains("value9"))
    person.press("W")
    #expect(person.text.contains("value9"))
    person.press("W")
    #expect(!person.text.contains("value9"))
  }

  @Test func `a line that opens no further scrolls to the right, and back before it folds`() {
    let number = String(repeating: "1", count: 50) + "7654"
    var person = person(in: .number(JSONNumber(literal: number) ?? JSONNumber(0)), width: 50)
    #expect(!person.text.contains("7654"))
    person.press("Right")
    #expect(person.text.contains("117654") && person.text.contains(" …111"))
    person.press("Right", "Left")
    #expect(person.text.contains(number.prefix(40)))
    person.press("Left", "s")
    #expect(!person.text.contains("117654"))
  }

  @Test func `from the last line of a short difference a long one begins at its top`() {
    var person = Person()
    person.start(one)
    let members = (0..<60).map { #""m\#($0)":0"# }.joined(separator: ",")
    person.record(
      action(1, "begin", #"{"a":1,"z":1}"#), action(2, "step", #"{"a":2,"z":1}"#),
      action(3, "grow", #"{"a":3,"z":1,\#(members)}"#))
    person.press("Up", "Tab", "G")
    #expect(person.rowText == "2" && person.text.contains("▸ unchanged 1"))
    person.press("Tab", "Down")
    #expect(person.rowText == "3" && person.text.contains("~ a: 2 → 3"))
  }

  @Test func `the whole text of a log line can be read`() {
    let text = (1...30).map { "word\($0)" }.joined(separator: " ")
    var person = Person()
    person.start(one)
    person.record(log(1, .error, text))
    person.press("i")
    person.wait(.seconds(1))
    #expect(person.text.contains("word30"))
  }
}

extension JSON {
  /// The places whose key or scalar has a text in it, in the order of the lines.
  fileprivate func places(with text: String, at path: JSONPath = JSONPath()) -> [JSONPath] {
    var isFound = isScalar && "\(self.text())".contains(text)
    if case .key(let key)? = path.elements.last { isFound = isFound || key.contains(text) }
    let inner: [JSONPath] =
      switch self {
      case .array(let elements):
        elements.enumerated().flatMap { index, element in
          element.places(with: text, at: JSONPath(path.elements + [.index(index)]))
        }
      case .object(let object):
        object.members.flatMap { member in
          member.value.places(with: text, at: JSONPath(path.elements + [.key(member.key)]))
        }
      case .null, .bool, .number, .string: []
      }
    return (isFound ? [path] : []) + inner
  }
}

extension SeededGenerator {
  /// A value without its repeated keys.
  fileprivate func distinct(_ value: JSON) -> JSON {
    switch value {
    case .array(let elements): return .array(elements.map(distinct))
    case .object(let object):
      var result = JSONObject()
      for member in object.members { result[member.key] = distinct(member.value) }
      return .object(result)
    case .null, .bool, .number, .string: return value
    }
  }
}
