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
      ("", document), ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/", 0), ("/a~1b", 1),
      ("/c%d", 2), ("/e^f", 3), ("/g|h", 4), ("/i\\j", 5), ("/k\"l", 6), ("/ ", 7), ("/m~0n", 8),
    ] as [(String, JSON)])
  func findsTheExamplesOfTheStandard(text: String, value: JSON) throws {
    let pointer = try #require(JSONPointer(parsing: text))
    #expect(Self.document[pointer] == value)
    #expect(pointer.description == text)
  }

  @Test(arguments: [
    "/foo/2", "/foo/-", "/foo/00", "/foo/+1", "/foo/-1", "/foo/", "/foo/bar", "/none", "/foo/0/x",
    "/foo/99999999999999999999", "/foo/٠",
  ])
  func findsNothingWhereNothingIs(text: String) throws {
    #expect(Self.document[try #require(JSONPointer(parsing: text))] == nil)
  }

  @Test(arguments: ["foo", "a/b", "/~", "/~2", "/a~", "#/a"])
  func refusesWhatIsNoPointer(text: String) {
    #expect(JSONPointer(parsing: text) == nil)
  }

  @Test func splitsByScalars() {
    let pointer = JSONPointer(["a", "\u{301}b"])
    #expect(JSONPointer(parsing: pointer.description) == pointer)
    #expect(JSONPointer(parsing: "/~01") == JSONPointer(["~1"]))
  }

  @Test(
    arguments: [
      ([], "$", ""),
      ([.key("todos"), .index(3), .key("title")], "todos[3].title", "/todos/3/title"),
      ([.index(0), .index(1)], "[0][1]", "/0/1"),
      ([.key("a b"), .key("c")], "[\"a b\"].c", "/a b/c"),
      ([.key("x"), .key("a/b"), .key("é")], "x[\"a/b\"][\"é\"]", "/x/a~1b/é"),
      ([.key(""), .key("1a"), .key("_a-1")], "[\"\"][\"1a\"]._a-1", "//1a/_a-1"),
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
      "a[0]b",
      "[\"\\q\"]",
    ])
  func `what is no path is none`(text: String) {
    #expect(JSONPath(parsing: text) == nil)
  }

  @Test func `a path leads to its value, or to nothing`() throws {
    let json: JSON = ["a": [1, ["b c": true]]]
    #expect(json[JSONPath(parsing: #"a[1]["b c"]"#)!.pointer] == true)
    #expect(json[JSONPath(parsing: "$")!.pointer] == json)
    for path in ["a[2]", "a.b", "b", "a[0].x", "a[0][0]"] {
      #expect(json[JSONPath(parsing: path)!.pointer] == nil)
    }
  }
}
