import JSONTools
import JSONTree
import SurfDebugger
import TestSupport
import Testing

@Suite struct OutlineTests {
  private func sketch(_ outline: Outline) -> [String] {
    outline.lines.enumerated().map { index, line in
      let mark = line.fold == .leaf ? " " : line.fold == .folded ? "▸" : "▾"
      let indent = String(repeating: "  ", count: line.depth)
      return "\(index == outline.index ? ">" : " ")\(indent)\(mark)\(line.label): \(line.text)"
    }
  }

  @Test func `a value opens branch by branch`() throws {
    var outline = Outline(try JSON(parsing: #"{"user":{"name":"Ada","tags":[]},"count":7}"#))
    let folded = [
      ">▾: 2 keys", "   ▸user: {name: \"Ada\", tags: []}", "    count: 7",
    ]
    #expect(sketch(outline) == folded)
    outline.move(by: 1)
    outline.open()
    let opened = [
      " ▾: 2 keys", ">  ▾user: 2 keys", "      name: \"Ada\"", "      tags: []", "    count: 7",
    ]
    #expect(sketch(outline) == opened)
    outline.move(by: 2)
    outline.close()
    let user = OutlinePlace(JSONPath([.key("user")]))
    #expect(outline.cursor?.place == user)
    outline.close()
    #expect(outline.lines.count == 3)
  }

  @Test func `a mark is a leaf that says what it stands for`() throws {
    let mark = #"{"$redacted":"string"}"#
    var outline = Outline(try JSON(parsing: #"{"user":{"name":"Ada","key":\#(mark)}}"#))
    let folded = [">▾: 1 key", "   ▸user: {name: \"Ada\", key: ‹redacted string›}"]
    #expect(sketch(outline) == folded)
    outline.unfoldAll()
    let opened = [
      ">▾: 1 key", "   ▾user: 2 keys", "      name: \"Ada\"", "      key: ‹redacted string›",
    ]
    #expect(sketch(outline) == opened)
  }

  @Test func `another state opens where the last one did`() throws {
    var outline = Outline(try JSON(parsing: #"{"a":{"b":{"c":1}},"z":0}"#))
    outline.unfoldAll()
    outline.move(by: 3)
    outline.replace(try JSON(parsing: #"{"new":1,"a":{"b":{"x":0,"c":2}},"z":0}"#))
    let place = OutlinePlace(JSONPath([.key("a"), .key("b"), .key("c")]))
    #expect(outline.cursor?.place == place)
    outline.replace(try JSON(parsing: #"{"a":{"b":3},"x":0,"y":0}"#))
    let around = OutlinePlace(JSONPath([.key("a"), .key("b")]))
    #expect(outline.cursor?.place == around)
  }

  /// Elements that have a name are followed by it; others keep their index.
  @Test(arguments: 0..<100, ["id", "uuid", "size"])
  func `the cursor and open branches stay with their elements`(seed: UInt64, key: String) throws {
    var random = SeededGenerator(seed: seed)
    func value(_ names: [Int]) -> JSON {
      ["list": .array(names.map { [key: .number($0), "in": ["x": .number($0)]] })]
    }
    func place(_ index: Int) -> JSONPath {
      JSONPath([.key("list"), .index(index), .key("in")])
    }
    var names = Array(1...Int.random(in: 2...12, using: &random))
    var outline = Outline(value(names))
    let first = Int.random(in: 0..<names.count, using: &random)
    let name = names[first]
    // To the list, its element, and the object in that.
    for count in [1, 1 + first, 2] {
      outline.move(by: count)
      outline.open()
    }
    #expect(outline.path == place(first))
    for step in 0..<50 {
      switch Int.random(in: 0..<3, using: &random) {
      case 0: names.insert(100 + step, at: Int.random(in: 0...names.count, using: &random))
      case 1 where names.count > 1: names.removeAll { $0 != name && $0 % 7 == step % 7 }
      default: names.shuffle(using: &random)
      }
      let before = outline.path
      outline.replace(value(names))
      let index = key == "size" ? first : names.firstIndex(of: name)
      guard let index, key != "size" || index < names.count else { return }
      #expect(outline.path == place(index), "\(names) after \(before.map { "\($0)" } ?? "")")
      let open = outline.lines.filter { $0.fold == .unfolded && $0.label == "in" }
      #expect(open.map(\.place.path) == [place(index)])
    }
  }

  @Test func `many open elements of a long list stay open while it grows at its beginning`() {
    func value(_ count: Int) -> JSON {
      .array((0..<count).reversed().map { ["id": .number($0), "in": [.number($0)]] })
    }
    var outline = Outline(value(9_000))
    // Open 60 elements of the first run.
    outline.move(by: 1)
    outline.open()
    for _ in 0..<60 {
      outline.move(by: 1)
      outline.open()
      outline.move(by: 2)
    }
    func opened() -> Set<String> {
      Set(outline.lines.filter { $0.label == "id" }.map(\.text))
    }
    let before = opened()
    #expect(before.count == 60)
    for count in 9_001...9_030 { outline.replace(value(count)) }
    #expect(opened() == before)
    #expect(outline.path == JSONPath([.index(89), .key("in")]))
  }

  @Test(arguments: [(100, 101), (101, 3), (10_000, 101), (10_001, 3), (1_000_000, 101)])
  func `a long array is cut into runs of a hundred, and these again`(count: Int, lines: Int) {
    let outline = Outline(.array(Array(repeating: 0, count: count)))
    #expect(outline.lines.count == lines)
  }

  @Test func `runs lead to their elements`() {
    var outline = Outline(.array((0..<20_000).map { .number($0) }))
    outline.move(by: 2)
    outline.open()
    outline.move(by: 7)
    outline.open()
    outline.move(by: 43)
    let place = OutlinePlace(JSONPath([.index(10_642)]))
    let text = "10642"
    #expect(outline.cursor?.place == place && outline.cursor?.text == text)
  }

  @Test func `a state of a million keys is cut, however much of it is unfolded`() {
    let members = (0..<1_000_000).map { JSONObject.Member(key: "k\($0)", value: [1, 2]) }
    var outline = Outline(.object(JSONObject(members)))
    #expect(outline.lines.count == 101)
    outline.unfoldAll()
    let last = "… more than 20000 lines are open: the rest is not listed"
    #expect(outline.lines.count == 20_001 && outline.lines.last?.text == last)
    outline.move(by: .max)
    #expect(outline.path == nil && outline.value == nil)
  }

  @Test(arguments: [(100, 101), (250, 251), (250, 300), (10_000, 10_001), (60, 20_000)])
  func `what is open stays so when an array grows`(before: Int, after: Int) {
    var outline = Outline(.array((0..<before).map { .number($0) }))
    outline.move(by: .max)
    outline.open()
    outline.move(by: .max)
    let place = outline.cursor?.place
    let text = "\(before - 1)"
    #expect(outline.cursor?.text == text)
    outline.replace(.array((0..<after).map { .number($0) }))
    #expect(outline.cursor?.place == place && outline.cursor?.text == text)
  }

  @Test func `an empty key is seen`() {
    let outline = Outline(.object(JSONObject([.init(key: "", value: 1)])))
    let lines = [">▾: 1 key", "    \"\": 1"]
    #expect(sketch(outline) == lines)
  }

  @Test func `a run shows the keys at its ends`() {
    let ids = (0..<150).map { JSON.object(JSONObject([.init(key: "id", value: .number(7 * $0))])) }
    let runs = ["   ▸[0…99]: id 0 … 693", "   ▸[100…149]: id 700 … 1043"]
    #expect(sketch(Outline(.array(ids))).dropFirst() == runs[...])
    let members = (100..<250).map { JSONObject.Member(key: "k\($0)", value: 1) }
    let keys = ["   ▸[0…99]: k100 … k199", "   ▸[100…149]: k200 … k249"]
    #expect(sketch(Outline(.object(JSONObject(members)))).dropFirst() == keys[...])
  }

  @Test func `a long text opens line by line`() throws {
    let long = String(repeating: "x", count: 900)
    var outline = Outline(try JSON(parsing: #"{"short":"one line","long":"a\n\n\#(long)"}"#))
    outline.move(by: .max)
    outline.open()
    let lines = ["   ▾long: 903 B of text", "      : a", "      : "]
    #expect(sketch(outline)[2...4].map { $0.replacing(">", with: " ") } == lines)
    #expect(outline.lines[5...].map(\.text.count) == [400, 400, 100])
    outline.move(by: 2)
    let path = JSONPath([.key("long")])
    #expect(outline.path == path)
    outline.close()
    #expect(outline.cursor?.place == OutlinePlace(path))
    outline.close()
    #expect(outline.lines.count == 3)
  }

  @Test func `a cursor passes keys that are there twice`() throws {
    var outline = Outline(try JSON(parsing: #"{"a":1,"a":2,"a":3}"#))
    for _ in 0..<3 { outline.move(by: 1) }
    outline.replace(try JSON(parsing: #"{"a":1,"a":2,"a":4}"#))
    #expect(outline.index == 3)
  }

  @Test func `text is cut, and says so`() {
    let long = String(repeating: "x", count: 1 << 20)
    let excerpt = Excerpt.text(JSON.array([.string(long), .string(long)]), limit: 10)
    let expected = "[\"xxxxxxxx…"
    #expect(excerpt == expected)
    let cluster = "e" + String(repeating: "\u{301}", count: 100_000)
    #expect(Excerpt.text(JSON.string(cluster)).unicodeScalars.count == 201)
    let whole = #"{"a b": [1, null]}"#
    #expect(Excerpt.text(JSON.object(JSONObject([.init(key: "a b", value: [1, .null])]))) == whole)
  }

  @Test(arguments: 0..<100)
  func `no sequence of keys leads out of the lines`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var outline = Outline(try random.value(depth: 4))
    for _ in 0..<100 {
      switch Int.random(in: 0..<7, using: &random) {
      case 0: outline.open()
      case 1: outline.close()
      case 2: outline.foldAll()
      case 3: outline.unfoldAll()
      case 4: outline.replace(try random.value(depth: 4))
      default: outline.move(by: [.min, -3, -1, 1, 2, .max].randomElement(using: &random) ?? 0)
      }
      #expect(outline.lines.indices.contains(outline.index))
    }
  }
}

extension SeededGenerator {
  mutating func value(depth: Int) throws -> JSON {
    let count = Int.random(in: 0...4, using: &self)
    switch Int.random(in: 0..<(depth > 0 ? 4 : 2), using: &self) {
    case 0: return .number(Int.random(in: 0...3, using: &self))
    case 1: return .string("s")
    case 2: return .array(try (0..<count).map { _ in try value(depth: depth - 1) })
    default:
      let members = try (0..<count).map { _ in
        let key = ["a", "b", "c d"].randomElement(using: &self) ?? ""
        return JSONObject.Member(key: key, value: try value(depth: depth - 1))
      }
      return .object(JSONObject(members))
    }
  }
}
