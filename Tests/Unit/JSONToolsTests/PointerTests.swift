import JSONTools
import JSONTree
import Testing

@Suite struct PointerTests {
  /// The examples of RFC 6901 §5.
  private static let document: JSON = [
    "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6,
    " ": 7, "m~n": 8,
  ]

  @Test(
    arguments: [
      ([], "", document), (["foo"], "/foo", ["bar", "baz"]), (["foo", "0"], "/foo/0", "bar"),
      ([""], "/", 0), (["a/b"], "/a~1b", 1), (["c%d"], "/c%d", 2), (["e^f"], "/e^f", 3),
      (["g|h"], "/g|h", 4), (["i\\j"], "/i\\j", 5), (["k\"l"], "/k\"l", 6), ([" "], "/ ", 7),
      (["m~n"], "/m~0n", 8),
    ] as [([String], String, JSON)])
  func findsTheExamplesOfTheStandard(tokens: [String], text: String, value: JSON) {
    let pointer = JSONPointer(tokens)
    #expect(Self.document[pointer] == value)
    #expect(pointer.description == text)
  }

  @Test(arguments: [
    "2", "-", "00", "+1", "-1", "", "bar", "99999999999999999999", "٠",
  ])
  func findsNothingWhereNothingIs(token: String) {
    #expect(Self.document[JSONPointer(["foo", token])] == nil)
    #expect(Self.document[JSONPointer(["none", token])] == nil)
    #expect(Self.document[JSONPointer(["foo", "0", token])] == nil)
  }

  @Test func writesByScalars() {
    #expect(JSONPointer(["a", "\u{301}b", "~1"]).description == "/a/\u{301}b/~01")
  }

  @Test(
    arguments: [
      ([], "$", ""),
      ([.key("todos"), .index(3), .key("title")], "todos[3].title", "/todos/3/title"),
      ([.index(0), .index(1)], "[0][1]", "/0/1"),
      ([.key("a b"), .key("c")], "[\"a b\"].c", "/a b/c"),
      ([.key("x"), .key("a/b"), .key("é")], "x[\"a/b\"][\"é\"]", "/x/a~1b/é"),
      ([.key(""), .key("1a"), .key("_a-1")], "[\"\"].1a._a-1", "//1a/_a-1"),
      ([.key("40154945-95C9"), .key("7")], "40154945-95C9[\"7\"]", "/40154945-95C9/7"),
      ([.key("\u{301}x"), .index(0)], "[\"\u{301}x\"][0]", "/\u{301}x/0"),
      ([.key("\u{1b}[2J")], "[\"\\u001b[2J\"]", "/\u{1b}[2J"),
    ] as [([JSONPath.Element], String, String)])
  func printsPathsForPeopleAndPrograms(
    elements: [JSONPath.Element], text: String, pointer: String
  ) {
    let path = JSONPath(elements)
    #expect(path.description == text)
    #expect(path.pointer.description == pointer)
    #expect(JSONPath(parsing: text) == path)
  }

  @Test(
    arguments: [
      ".", "a.", "a..b", "[", "[]", "[x]", "[-1]", "a[0", "[\"a\"", "[\"a", "[\"", "[\"\\\"]",
      "a[0]b", "[\"\\q\"]", "[+5]", "[007]", "[-0]", "[\u{301}0]",
    ])
  func `what is no path is none`(text: String) {
    #expect(JSONPath(parsing: text) == nil)
  }

  @Test func `a path leads to its value, or to nothing`() throws {
    let json: JSON = ["a": [1, ["b c": true]]]
    #expect(json[JSONPath(parsing: #"a[1]["b c"]"#)!.pointer] == true)
    #expect(json[JSONPath(parsing: "$")!.pointer] == json)
    #expect(try JSON(parsing: #"{"a":1,"b":2,"a":3}"#)[JSONPointer(["a"])] == 3)
    #expect(json[JSONPath(parsing: #"$.a[1]["b c"]"#)!.pointer] == true)
    #expect(JSONPath(parsing: #"$["a"]"#) == JSONPath(parsing: "a"))
    #expect(JSONPath(parsing: #"["$"].a"#) == JSONPath([.key("$"), .key("a")]))
    // A command would take it for an option.
    #expect("\(JSONPath([.key("-x"), .key("-y")]))" == #"["-x"].-y"#)
    for path in ["a[2]", "a.b", "b", "a[0].x", "a[0][0]"] {
      #expect(json[JSONPath(parsing: path)!.pointer] == nil)
    }
  }
}
