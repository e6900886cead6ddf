import JSONTools
import JSONTree
import TestSupport
import Testing

@Suite struct JSONRereaderTests {
  /// A value, its parts changed here and there.
  private struct Writer {
    var random: SeededGenerator
    var value: JSON = [
      "a": 1, "list": [1, "two", ["x": .null]], "deep": ["b": ["c": [true, "]}"]]],
    ]

    mutating func change() { value = changed(value) }

    private mutating func changed(_ value: JSON) -> JSON {
      switch value {
      case .array(var elements)
      where !elements.isEmpty && Int.random(in: 0..<4, using: &random) > 0:
        let index = Int.random(in: 0..<elements.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: elements.insert(part(), at: index)
        case 1: elements.remove(at: index)
        case 2: elements.append(part())
        default: elements[index] = changed(elements[index])
        }
        return .array(elements)
      case .object(let object)
      where !object.members.isEmpty && Int.random(in: 0..<6, using: &random) > 0:
        var members = object.members
        let index = Int.random(in: 0..<members.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
          let key = "new\(Int.random(in: 0..<1_000_000, using: &random))"
          members.insert(JSONObject.Member(key: key, value: part()), at: index)
        case 1: members.remove(at: index)
        default: members[index].value = changed(members[index].value)
        }
        return .object(JSONObject(members))
      default: return part()
      }
    }

    private mutating func part() -> JSON {
      Self.parts[Int.random(in: 0..<Self.parts.count, using: &random)]
    }

    private static let parts: [JSON] = [
      .null, true, 0, 12, 123, "", "two \" \\ ]", [], [1, 2, [3]], ["k": 5, "a": ["z": 1]], [:],
      ["list": [1], "deep": "x"], "ä\u{301}",
    ]
  }

  private func check(_ reader: inout JSONRereader, _ text: [UInt8], _ before: inout JSON?) {
    let wanted = JSON(ifValid: text)
    let reading = reader.read(text)
    switch reading {
    case .invalid: #expect(wanted == nil)
    case .value(let json, let isSame, let replaced):
      // As text, too: numbers keep their spelling, and members their order.
      #expect(json == wanted && json.text() == wanted?.text())
      #expect((before == nil) == (replaced == nil))
      if let before, let replaced {
        #expect(isSame == (before == json))
        #expect(replaced.reduce(before, apply) == json)
      }
    }
    before = wanted
  }

  private func apply(_ value: JSON, _ replacement: JSONReplacement) -> JSON {
    value.setting(replacement.new, at: replacement.path.elements[...])
  }

  @Test func `a replacement names the place, and what stood there`() throws {
    var reader = JSONRereader()
    _ = reader.read(Array(#"{"n":9,"list":[{"a":[1,2]},{"b":"x"}]}"#.utf8))
    let reading = reader.read(Array(#"{"n":10,"list":[{"a":[1,3]},{"b":"x"}]}"#.utf8))
    guard case .value(_, let isSame, let replaced) = reading else { throw Unread() }
    let wanted = [
      JSONReplacement(JSONPath([.key("n")]), 9, 10),
      JSONReplacement(JSONPath([.key("list"), .index(0), .key("a"), .index(1)]), 2, 3),
    ]
    #expect(replaced == wanted && !isSame)
  }

  private struct Unread: Error {}

  /// The replacements found when one text is read after another.
  private func replaced(_ old: String, _ new: String) throws -> [String] {
    var reader = JSONRereader()
    _ = reader.read(Array(old.utf8))
    guard case .value(let json, _, let replaced?) = reader.read(Array(new.utf8)) else {
      throw Unread()
    }
    #expect(json.text() == (try JSON(parsing: new)).text())
    return replaced.map {
      "\($0.path) \($0.old?.text() ?? "-") \($0.new?.text() ?? "-")"
    }
  }

  @Test(arguments: [
    (#"{"a":1,"b":2}"#, #"{"a":1,"n":7,"b":2}"#, ["n - 7"]),
    (#"{"a":1,"b":2,"c":3}"#, #"{"a":1,"c":3}"#, ["b 2 -"]),
    (#"{"a":1,"b":2}"#, #"{"a":1 , "x" : [ 5 ] }"#, ["b 2 -", "x - [5]"]),
    (#"{"l":[1,2,3],"z":0}"#, #"{"l":[1,2,3,4],"z":0}"#, ["l [1,2,3] [1,2,3,4]"]),
    (#"{"l":[1,2,3],"z":0}"#, #"{"l":[1,3],"z":0}"#, ["l [1,2,3] [1,3]"]),
    (#"{"a":1,"a":2,"b":3}"#, #"{"a":1,"b":3}"#, [#"$ {"a":1,"a":2,"b":3} {"a":1,"b":3}"#]),
  ])
  func `members that come and go are places of their own`(
    old: String, new: String, places: [String]
  ) throws {
    #expect(try replaced(old, new) == places)
  }

  @Test(arguments: [
    #"{"a":1,,"b":2}"#, #"{,"b":2}"#, #"{"a":1,}"#, #"{"a":1,"b":2"#, #"{"a":1,"x","b":2}"#,
    #"["a":1,"b":2]"#, #"{"a":1 "x":3,"b":2}"#, #"{"a":1,"b":2}}"#, #"{"a":12"b":2}"#,
  ])
  func `a text of which some parts are known is not JSON for that`(text: String) {
    var reader = JSONRereader()
    _ = reader.read(Array(#"{"a":1,"b":2}"#.utf8))
    #expect(reader.read(Array(text.utf8)) == .invalid)
  }

  @Test(arguments: 0..<40) func `what is read is what a parser makes of the whole`(seed: UInt64) {
    var writer = Writer(random: SeededGenerator(seed: seed))
    var reader = JSONRereader()
    var before: JSON?
    for step in 0..<200 {
      writer.change()
      let style: JSON.Style = step % 50 < 40 ? .compact : .pretty
      check(&reader, Array(writer.value.text(style).utf8), &before)
    }
  }

  /// Most of these are not JSON, and must not be taken for it.
  @Test(arguments: 0..<40) func `octets that change at random are refused or read`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var reader = JSONRereader()
    var before: JSON?
    let octets = Array(#"{}[]",:0123456789.-e \tnulltrue"#.utf8)
    var text = Array(#" {"a":1,"b":[1,2,{"c":"d"}],"e":{"f":-1.5e3,"g":null},"h":"\"x"} "#.utf8)
    let valid = text
    for _ in 0..<400 {
      let index = Int.random(in: 0..<text.count, using: &random)
      let octet = octets[Int.random(in: 0..<octets.count, using: &random)]
      switch Int.random(in: 0..<4, using: &random) {
      case 0: text.insert(octet, at: index)
      case 1: text.remove(at: index)
      case 2: text[index] = octet
      default: text = valid
      }
      if text.isEmpty { text = valid }
      check(&reader, text, &before)
    }
  }

  private static let octets = Array(
    #"0123456789012345678901234567890123456789-.e"x tn\{}[],: "#.utf8)

  /// A text with octets replaced here and there, and where.
  private func edited(
    _ text: [UInt8], _ random: inout SeededGenerator
  ) -> ([UInt8], [JSONRereader.Edit]) {
    var result: [UInt8] = []
    var edits: [JSONRereader.Edit] = []
    var end = 0
    for _ in 0..<Int.random(in: 0...2, using: &random) where end < text.count {
      let start = Int.random(in: end..<text.count, using: &random)
      guard edits.isEmpty || start > end else { continue }
      result += text[end..<start]
      end = min(text.count, start + Int.random(in: 0...2, using: &random))
      let size = result.count
      for _ in 0..<Int.random(in: start == end ? 1...2 : 0...2, using: &random) {
        result.append(Self.octets[Int.random(in: 0..<Self.octets.count, using: &random)])
      }
      edits.append((start..<end, size..<result.count))
    }
    return (result + text[end...], edits)
  }

  private func read(_ text: [UInt8], with reader: inout JSONRereader) {
    guard case .value(let json, _, _) = reader.read(text) else {
      Issue.record("not read: \(String(decoding: text, as: UTF8.self))")
      return
    }
    #expect(json.text() == JSON(ifValid: text)?.text())
  }

  @Test(arguments: 0..<40) func `what is foreseen is what a parser makes`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var reader = JSONRereader()
    let first = Array(
      #" {"a":12,"b":[1,22,{"c":"ddd","a":true}],"e":{"f":-1.5e3,"g":null},"h":"\"x","a":7} "#.utf8)
    var text = first
    _ = reader.read(text)
    var foreseenCount = 0
    for _ in 0..<600 {
      let (new, edits) = edited(text, &random)
      let (before, wanted) = (JSON(ifValid: text), JSON(ifValid: new))
      if let replaced = reader.foresee(new, edits)?.replaced {
        // Nothing has happened yet.
        if Bool.random(using: &random) { #expect(reader.value?.text() == before?.text()) }
        reader.follow(new, edits)
        #expect(wanted != nil, "\(String(decoding: new, as: UTF8.self))")
        if Bool.random(using: &random) { #expect(reader.value?.text() == wanted?.text()) }
        #expect(before == wanted || replaced.contains { $0.old != $0.new })
        text = new
        foreseenCount += 1
      } else if wanted != nil, Int.random(in: 0..<4, using: &random) == 0 {
        text = new
        read(text, with: &reader)
      } else if Int.random(in: 0..<40, using: &random) == 0 {
        text = first
        read(text, with: &reader)
      }
    }
    #expect(foreseenCount > 40, "\(foreseenCount)")
  }

  /// One of two readers skips the values at some places.
  @Test(arguments: 0..<20) func `what is ignored is not told, but read`(seed: UInt64) {
    let isIgnored: @Sendable (JSONPath) -> Bool = { $0.elements.count % 2 == seed % 2 }
    var random = SeededGenerator(seed: seed)
    var readers = (JSONRereader(), JSONRereader(ignoring: isIgnored))
    var text = Array(
      #" {"a":12,"b":[1,22,{"c":"dd","a":true}],"e":{"f":-1.5e3,"g":null},"a":7} "#.utf8)
    read(text, with: &readers.0)
    read(text, with: &readers.1)
    var ignoredCount = 0
    for _ in 0..<600 {
      let (new, edits) = edited(text, &random)
      let changes = (readers.0.foresee(new, edits), readers.1.foresee(new, edits))
      #expect((changes.0 == nil) == (changes.1 == nil))
      guard let all = changes.0?.replaced, let some = changes.1 else { continue }
      #expect(some.replaced == all.filter { !isIgnored($0.path) })
      #expect(some.isComplete == (some.replaced.count == all.count))
      if !some.isComplete { ignoredCount += 1 }
      readers.0.follow(new, edits)
      readers.1.follow(new, edits)
      text = new
      guard Int.random(in: 0..<8, using: &random) == 0 else { continue }
      #expect(readers.1.value?.text() == JSON(ifValid: text)?.text())
    }
    #expect(ignoredCount > 5, "\(ignoredCount)")
  }

  @Test(arguments: [
    (0..<0, "[1]"), (5..<6, "1,2"), (5..<6, #""x","y""#), (5..<6, ""), (5..<6, " 2"), (5..<6, "01"),
    (6..<7, " "), (2..<3, "b"), (5..<6, "[]"), (4..<6, " 2"),
  ])
  func `what is more than a scalar is not foreseen`(old: Range<Int>, new: String) {
    var reader = JSONRereader()
    let text = Array(#"{"a":1,"b":2}"#.utf8)
    _ = reader.read(text)
    var other = text
    other.replaceSubrange(old, with: Array(new.utf8))
    let edit: JSONRereader.Edit = (old, old.lowerBound..<old.lowerBound + new.utf8.count)
    #expect(reader.foresee(other, [edit]) == nil)
  }

  private func text(listCount: Int, _ list: String) -> [UInt8] {
    Array(#"{"lists":[\#(Array(repeating: list, count: listCount).joined(separator: ","))]}"#.utf8)
  }

  @Test(arguments: [
    ("[1,2]", "[1,2,3]"), ("[1,2]", "[0,1,2]"), ("[1,2,3]", "[1,3]"), ("[7]", "[]"),
  ])
  func `where many lists grow, no octet is parsed often`(old: String, new: String) {
    var reader = JSONRereader()
    _ = reader.read(text(listCount: 5_000, old))
    let grown = text(listCount: 5_000, new)
    read(grown, with: &reader)
    #expect(reader.parsedSize <= 6 * grown.count, "\(reader.parsedSize) of \(grown.count)")
  }

  @Test func `where one list of many grows, the others are not parsed`() {
    var reader = JSONRereader()
    let old = text(listCount: 5_000, "[1,2]")
    _ = reader.read(old)
    var new = old
    let middle = #"{"lists":["#.utf8.count + 2_500 * "[1,2],".utf8.count
    new.insert(contentsOf: Array("3,".utf8), at: middle + 1)
    read(new, with: &reader)
    #expect(reader.parsedSize < 100)
  }

  @Test func `a value does not grow deeper than a parser allows`() {
    var reader = JSONRereader()
    var before: JSON?
    for depth in [500, 511, 512, 513, 600, 512] {
      let text = String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
      check(&reader, Array(text.utf8), &before)
    }
    let deep = String(repeating: "[", count: 400)
    let inner = String(repeating: "[", count: 300)
    check(&reader, Array((deep + "1" + String(repeating: "]", count: 400)).utf8), &before)
    check(
      &reader, Array((deep + inner + String(repeating: "]", count: 700)).utf8), &before)
  }
}

extension JSON {
  /// With another value at a place, or none.
  fileprivate func setting(_ new: JSON?, at path: ArraySlice<JSONPath.Element>) -> JSON {
    guard let element = path.first else { return new ?? .null }
    let rest = path.dropFirst()
    switch (self, element) {
    case (.object(var object), .key(let key)):
      object[key] = rest.isEmpty ? new : object[key]?.setting(new, at: rest)
      return .object(object)
    case (.array(var elements), .index(let index)):
      elements[index] = elements[index].setting(new, at: rest)
      return .array(elements)
    default: return self
    }
  }
}
