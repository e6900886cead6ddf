import JSONTools
import JSONTree
import SurfDebugger
import SurfQuery
import TestSupport
import Testing

@Suite struct ChangeListTests {
  private let old = #"{"count":7,"user":{"name":"Ada"},"theme":"dark","list":[1]}"#
  private let new = #"{"count":8,"user":{"name":"Ada"},"theme":"dark","list":[1,{"a":2}]}"#

  private func sketch(_ list: ChangeList) -> [String] {
    list.lines.map { line in
      switch line {
      case .change(let kind, let path, let values, let fold):
        "\(kind.rawValue)\(mark(fold))\(path): \(values)"
      case .further(let count): "… \(count)"
      case .unchanged(let count, let isOpen): "\(isOpen ? "▾" : "▸")unchanged \(count)"
      case .part(let part, let kind):
        String(repeating: "  ", count: part.depth) + (kind.map { "\($0.rawValue)" } ?? "")
          + "\(mark(part.fold))\(part.label): \(part.text)"
      }
    }
  }

  private func mark(_ fold: OutlineLine.Fold) -> String {
    switch fold {
    case .leaf: " "
    case .folded: "▸"
    case .unfolded: "▾"
    }
  }

  @Test func `changes come with paths, and the rest is folded with its count`() throws {
    var list = ChangeList(from: try JSON(parsing: old), to: try JSON(parsing: new))
    let folded = ["~ count: 7 → 8", "+▸list[1]: {a: 2}", "▸unchanged 2"]
    #expect(sketch(list) == folded && list.count == 2)
    list.outline.move(by: .max)
    list.outline.open()
    let opened =
      folded.dropLast() + [
        "▾unchanged 2", #"  ▸user: {name: "Ada"}"#, #"   theme: "dark""#,
      ]
    #expect(sketch(list) == Array(opened))
  }

  @Test func `every value opens, old and new, and what was open stays so`() throws {
    let long = String(repeating: "word ", count: 20)
    let old = try JSON(parsing: #"{"a":{"b":{"c":1}},"d":"x","e":{"f":2}}"#)
    let new = try JSON(parsing: #"{"a":[[3]],"d":"\#(long)","e":{"f":2}}"#)
    var list = ChangeList(from: old, to: new)
    let folded = [
      "~▸a: {b: {c: 1}} →", "~▸a: → [[3]]", #"~▸d: "x" → "\#(long)""#, "▸unchanged 1",
    ]
    #expect(sketch(list) == folded)
    for line in [3, 2, 1, 0] {
      list.outline.move(by: line - list.outline.index)
      list.outline.unfoldAll()
    }
    let opened = [
      "~▾a: 1 key →", "  -▾b: 1 key", "    - c: 1", "~▾a: → 1 element", "  +▾[0]: 1 element",
      "    + [0]: 3", #"~▾d: "x" → 100 B of text"#, "  + : \(long)", "▾unchanged 1",
      "  ▾e: 1 key", "     f: 2",
    ]
    #expect(sketch(list) == opened)
    list.outline.move(by: 2 - list.outline.index)
    #expect(list.outline.path.map { "\($0)" } == "a.b.c" && list.outline.value == 1)
    var next = ChangeList(from: old, to: new)
    next.take(placesOf: list)
    #expect(sketch(next) == opened && next.outline.index == 2)
    next.outline.foldAll()
    #expect(sketch(next) == folded)
  }

  @Test func `a mark that comes or goes is shown as one`() throws {
    let old = try JSON(parsing: #"{"key":{"$redacted":"string"}}"#)
    let lists = [ChangeList(from: old, to: [:]), ChangeList(from: ["key": 7], to: old)]
    let wanted = [
      ["- key: ‹redacted string›"], ["~ key: 7 → ‹redacted string›"],
    ]
    #expect(lists.map(sketch) == wanted)
  }

  @Test func `a value that becomes a list or an object is one change, and opens`() {
    var list = ChangeList(
      from: ["full": ["by": "ada"], "state": "empty"], to: ["full": 0, "state": ["taken": [1]]])
    #expect(sketch(list) == [#"~▸full: {by: "ada"} → 0"#, #"~▸state: "empty" → {taken: [1]}"#])
    #expect(list.text == "~ full: {by: \"ada\"} → 0\n~ state: \"empty\" → {taken: [1]}\n")
    list.outline.move(by: 1)
    list.outline.open()
    #expect(sketch(list).suffix(2) == [#"~▾state: "empty" → 1 key"#, "  +▸taken: [1]"])
    list.outline.move(by: -1)
    list.outline.open()
    #expect(sketch(list).prefix(2) == ["~▾full: 1 key → 0", #"  - by: "ada""#])
  }

  @Test func `the cursor stays at its path`() throws {
    var before = ChangeList(from: try JSON(parsing: old), to: try JSON(parsing: new))
    before.outline.move(by: 2)
    before.outline.open()
    before.outline.move(by: -1)
    var after = ChangeList(
      from: try JSON(parsing: #"{"a":1,"list":[],"z":0}"#),
      to: try JSON(parsing: #"{"a":2,"b":1,"list":[2,3],"z":0}"#))
    after.take(placesOf: before)
    #expect(after.outline.path.map { "\($0)" } == "list[1]")
    #expect(sketch(after).suffix(2) == ["▾unchanged 1", "   z: 0"])
  }

  @Test func `equal states have no change, and everything unchanged`() throws {
    let list = ChangeList(from: try JSON(parsing: old), to: try JSON(parsing: old))
    #expect(sketch(list) == ["▸unchanged 4"] && list.count == 0)
    let scalars = ChangeList(from: 1, to: 1)
    #expect(scalars.lines == [] && scalars.outline.index == 0 && scalars.outline.path == nil)
  }

  @Test func `marks may hide changes, as they are equal whatever they replace`() throws {
    let marked = try JSON(parsing: #"{"a":1,"pin":{"$redacted":"string"}}"#)
    #expect(ChangeList(from: marked, to: marked).mayHideChanges)
    #expect(!ChangeList(from: ["a": 1], to: ["a": 1]).mayHideChanges)
  }

  @Test func `what went away does not count as changed in the new state`() {
    #expect(sketch(ChangeList(from: [1, 2, 3], to: [1, 3])) == ["- [1]: 2", "▸unchanged 2"])
  }

  @Test func `more changes than a person reads are counted`() {
    let list = ChangeList(
      from: .array([]), to: .array(Array(repeating: 0, count: 6_000)))
    #expect(list.lines.last == .further(1_000) && list.count == 6_000)
    #expect(list.text.hasSuffix("+ [4999]: 0\n… 1000 more changes\n"))
  }

  @Test(arguments: 0..<100)
  func `what changed and what did not are together the new state's members`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let old = try random.value(depth: 3)
    let new = try random.value(depth: 3)
    var list = ChangeList(from: old, to: new)
    list.outline.move(by: .max)
    list.outline.unfoldAll()
    list.outline.move(by: .min)
    #expect(list.outline.index == 0)
    #expect(list.count == JSON.diff(old, new).count)
  }

  @Test func `each line knows its whole path, however little of it is shown`() throws {
    let key = String(repeating: "k", count: 500)
    var list = ChangeList(
      from: try JSON(parsing: #"{"a":{"\#(key)":1},"b":1,"c":[1],"d":2}"#),
      to: try JSON(parsing: #"{"a":{"\#(key)":2},"b":1,"c":{"e":1},"d":2}"#))
    list.outline.move(by: .max)
    list.outline.open()
    let places = list.lines.indices.map { index in
      list.outline.move(by: index - list.outline.index)
      return list.outline.path.map { "\($0)" }
    }
    // A list that becomes an object has two lines.
    #expect(places == ["a.\(key)", "c", "c", nil, "b", "d"])
    list.outline.move(by: 0 - list.outline.index)
    #expect(QueryPlace(list.outline.path ?? JSONPath()).description == "a.\(key)")
  }
}
