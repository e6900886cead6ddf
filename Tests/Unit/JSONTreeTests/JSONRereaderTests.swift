import JSONTools
import JSONTree
import TestSupport
import Testing

@Suite struct JSONRereaderTests {
  /// A value, its parts changed here and there.
  private struct Writer {
    var random: SeededGenerator
    var value: JSON = [
      "a": 1, "list": [1, "two", ["x": nil]], "deep": ["b": ["c": [true, "]}"]]],
    ]

    mutating func change() { value = changed(value) }

    private mutating func changed(_ value: JSON) -> JSON {
      switch value {
      case .array(var elements) where !elements.isEmpty && Bool.random(using: &random):
        let index = Int.random(in: 0..<elements.count, using: &random)
        elements[index] = changed(elements[index])
        return .array(elements)
      case .object(let object)
      where !object.members.isEmpty && Int.random(in: 0..<6, using: &random) > 0:
        var members = object.members
        let index = Int.random(in: 0..<members.count, using: &random)
        members[index].value = changed(members[index].value)
        return .object(JSONObject(members))
      default: return Self.parts[Int.random(in: 0..<Self.parts.count, using: &random)]
      }
    }

    private static let parts: [JSON] = [
      nil, true, 0, 12, 123, "", "two \" \\ ]", [], [1, 2, [3]], ["k": 5, "a": ["z": 1]], [:],
      ["list": [1], "deep": "x"], "ä\u{301}",
    ]
  }

  private func check(_ reader: inout JSONRereader, _ text: [UInt8], _ before: inout JSON?) {
    let wanted = JSON(ifValid: text)
    let reading = reader.read(text)
    switch reading {
    case .invalid: #expect(wanted == nil)
    case .value(let json, let isSame):
      // As text, too: numbers keep their spelling, and members their order.
      #expect(json == wanted && json.text() == wanted?.text())
      if let before { #expect(isSame == (before == json)) }
    }
    before = wanted
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

  /// Most of these are no JSON; none may be taken for some.
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
