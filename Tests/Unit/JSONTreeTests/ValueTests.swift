import JSONTree
import Testing

@Suite struct ValueTests {
  @Test func objectsAreEqualInAnyOrder() throws {
    let left: JSON = ["a": 1, "b": [["c": 2, "d": 3]]]
    let right: JSON = ["b": [["d": 3, "c": 2]], "a": 1]
    #expect(left == right)
    #expect(left.hashValue == right.hashValue)
    #expect(left != ["a": 1, "b": [["c": 2, "d": 4]]])
    #expect(left != ["a": 1])
    #expect(["a": 1] as JSON != ["a": 1, "b": .null])
  }

  @Test func theLastDuplicateCounts() throws {
    let value = try JSON(parsing: #"{"a":1,"b":2,"a":3}"#)
    #expect(value == ["a": 3, "b": 2])
    #expect(value.hashValue == (["a": 3, "b": 2] as JSON).hashValue)
    #expect(value != ["a": 1, "b": 2])
    #expect(value.object?["a"] == 3)
    #expect(value.text() == #"{"a":1,"b":2,"a":3}"#)
    #expect(value.text(sortedKeys: true) == #"{"a":1,"a":3,"b":2}"#)
  }

  @Test func settingAMemberKeepsItsPlaceAndNilRemovesDuplicates() {
    var object = JSONObject([
      .init(key: "a", value: 1), .init(key: "b", value: 2), .init(key: "a", value: 3),
    ])
    object["b"] = 9
    object["c"] = 4
    #expect(JSON.object(object).text() == #"{"a":1,"b":9,"a":3,"c":4}"#)
    object["a"] = nil
    #expect(JSON.object(object).text() == #"{"b":9,"c":4}"#)
  }

  @Test func numbersDifferByTheirText() throws {
    #expect(try JSON(parsing: "1") != JSON(parsing: "1.0"))
    #expect(try JSON(parsing: "1.0") == JSON(parsing: "1.0"))
  }

  @Test func numbersConvert() throws {
    #expect(JSONNumber(literal: "12")?.integer == 12)
    #expect(JSONNumber(literal: "1.5")?.integer == nil)
    #expect(JSONNumber(literal: "123456789012345678901234")?.integer == nil)
    #expect(JSONNumber(literal: "1.5e1")?.double == 15)
    #expect(JSONNumber(literal: "1e999")?.double == .infinity)
    #expect(JSONNumber(0.1)?.literal == "0.1")
    #expect(JSONNumber(Double.infinity) == nil)
    #expect(JSONNumber(Double.nan) == nil)
    #expect(JSONNumber(UInt64.max).literal == "18446744073709551615")
  }

  @Test(arguments: ["", "1 ", " 1", "01", "a", "1.", "0x1", "-"])
  func aNumberNeedsTheGrammarOfJSON(literal: String) {
    #expect(JSONNumber(literal: literal) == nil)
  }

  @Test(arguments: [
    .leastNonzeroMagnitude, 1e300, -1e-7, 1e16, .pi, -0.0, .greatestFiniteMagnitude,
  ])
  func everyFiniteDoubleIsValidJSON(value: Double) throws {
    let number = try #require(JSONNumber(value))
    #expect(try JSON(parsing: number.literal) == .number(number))
    #expect(number.double == value)
  }
}

@Suite struct PrinterTests {
  private static let value: JSON = ["b": [1, ["x": .null], [], [:]], "a": "é/\"\\\n\u{1}"]

  @Test func printsCompactly() {
    #expect(Self.value.text() == #"{"b":[1,{"x":null},[],{}],"a":"é/\"\\\n\u0001"}"#)
  }

  @Test func printsPrettilyWithTwoSpaces() {
    #expect(
      Self.value.text(.pretty, sortedKeys: true) == #"""
        {
          "a": "é/\"\\\n\u0001",
          "b": [
            1,
            {
              "x": null
            },
            [],
            {}
          ]
        }
        """#)
  }

  @Test func `a list of scalars is one line if that fits`() {
    let short: JSON = ["a": [1, "x", .null, true], "b": [[2], [3]]]
    #expect(
      short.text(.pretty) == """
        {
          "a": [1, "x", null, true],
          "b": [
            [2],
            [3]
          ]
        }
        """)
    let long = JSON.array((0..<40).map { .number($0) })
    #expect(long.text(.pretty).split(separator: "\n").count == 42)
  }

  @Test(arguments: ["x", "ж", "字", "👋"])
  func `a list is one line if its characters fit, whatever octets they have`(letter: Character) {
    let text = { JSON.array(["1", .string(String(repeating: letter, count: $0))]) }
    #expect(text(30).text(.pretty) == #"["1", "\#(String(repeating: letter, count: 30))"]"#)
    #expect(!text(63).text(.pretty).contains("\n"))
    #expect(text(64).text(.pretty).contains("\n"))
    #expect(text(1_000).text(.pretty).contains("\n"))
  }

  @Test func escapesWhatCouldDriveATerminal() {
    let text = JSON.string("\u{1b}[2J\u{7f}\u{9b}\u{a0}é").text()
    #expect(text == "\"\\u001b[2J\\u007f\\u009b\u{a0}é\"")
  }

  @Test func `keys and texts that differ by normalization alone are two`() throws {
    let json = try JSON(parsing: #"{"é":1,"e\u0301":2}"#)
    let object = try #require(json.object)
    #expect(object["\u{e9}"] == 1 && object["e\u{301}"] == 2 && object.indexes.count == 2)
    #expect(JSON.string("\u{e9}") != JSON.string("e\u{301}"))
    #expect(Set([JSON.string("\u{e9}"), .string("e\u{301}"), .string("\u{e9}")]).count == 2)
    let other = try JSON(parsing: #"{"e\u0301":2,"é":1}"#)
    #expect(json == other && json.hashValue == other.hashValue)
    #expect(json != (try JSON(parsing: #"{"é":2,"e\u0301":1}"#)))
    // As many octets, in another order.
    #expect(JSON.string("a\u{323}\u{307}") != JSON.string("a\u{307}\u{323}"))
    var changed = object
    changed["\u{e9}"] = nil
    #expect(changed.members.map(\.value) == [2])
  }
}
