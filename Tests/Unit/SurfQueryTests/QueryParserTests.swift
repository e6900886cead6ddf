import JSONTree
import SurfQuery
import TestSupport
import Testing

@Suite struct QueryParserTests {
  private static func key(_ names: String...) -> QueryPlace {
    QueryPlace(.state, names.map { .key($0) })
  }

  private static func choices(_ unit: QueryUnit, _ texts: String...) -> [QueryChoice] {
    texts.compactMap { QueryChoice($0, in: unit) }
  }

  private static func test(_ place: QueryPlace, _ relation: QueryRelation) -> Query {
    .test(QueryTest(place, relation))
  }

  @Test(arguments: QueryDoubt.relations.sorted { $0.key < $1.key })
  func `another language's relation is a text, and what it may mean is a relation`(
    word: String, meant: String
  ) throws {
    #expect(try Query("a.b \(word) 5").doubts == [.relation(word, meant: meant)])
    let parsed = try? Query("a.b \(meant) 5")
    #expect(try (parsed ?? Query("a.b \(meant)")).doubts.filter(\.isRelation) == [])
  }

  @Test(arguments: [
    ("from row 14", QueryDoubt.relation("row", meant: "from:14")),
    ("line 7", .relation("line", meant: "line:7")), ("name 7", .text("name")),
    ("row milk", .text("row")),
  ])
  func `a field without its colon is a text, and what it may mean is the field`(
    text: String, doubt: QueryDoubt
  ) throws {
    #expect(try Query(text).doubts == [doubt])
  }

  static let trees: [(String, Query)] = [
    ("milk", .text("milk")), (#""a b""#, .text("a b")),
    ("milk honey", .all([.text("milk"), .text("honey")])),
    ("a and b or c", .any([.all([.text("a"), .text("b")]), .text("c")])),
    ("a and (b or c)", .all([.text("a"), .any([.text("b"), .text("c")])])),
    ("not a b", .all([.not(.text("a")), .text("b")])),
    ("changed", .changed), ("not changed", .not(.changed)),
    ("before user exists", .before(test(key("user"), .exists))),
    ("before exists", test(QueryPlace(.before), .exists)),
    (
      "becomes count over 10",
      .becomes(test(key("count"), .compares(.over, .scalar(10))))
    ),
    ("row:5..9", .field(.row, choices(.count, "5..9"))),
    ("name:a,b", .field(.name, choices(.word, "a", "b"))),
    ("name:a changed", .all([.field(.name, choices(.word, "a")), .changed])),
    (#"["name:a"] changed"#, test(key("name:a"), .changed(from: nil, to: nil))),
    ("names:a changed", test(key("names:a"), .changed(from: nil, to: nil))),
    ("-by:ada", .not(.field(.by, choices(.word, "ada")))),
    ("dt:250ms..", .field(.sinceBefore, choices(.time, "250ms.."))),
    ("user.name changed", test(key("user", "name"), .changed(from: nil, to: nil))),
    (
      "user changed from null to state.next",
      test(key("user"), .changed(from: .scalar(.null), to: .place(key("next"))))
    ),
    (
      "todos[id:7].done changed to true",
      test(
        QueryPlace(.state, [.key("todos"), .element("id", .scalar(7)), .key("done")]),
        .changed(from: nil, to: .scalar(true)))
    ),
    ("$.user exists", test(key("user"), .exists)),
    ("$exists exists", test(key("$exists"), .exists)),
    (
      #"$["a b"] is $.c"#, test(key("a b"), .compares(.equal, .place(key("c"))))
    ),
    (
      "before.requests.@count over 0",
      test(
        QueryPlace(.before, [.key("requests"), .aggregate(.count)]),
        .compares(.over, .scalar(0)))
    ),
    (
      "total is not state.items.@sum.price",
      test(
        key("total"),
        .compares(
          .different, .place(QueryPlace(.state, [.key("items"), .aggregate(.sum), .key("price")]))))
    ),
    (
      "all todos.%.done is true",
      .test(
        QueryTest(
          isForAll: true, QueryPlace(.state, [.key("todos"), .each, .key("done")]),
          .compares(.equal, .scalar(true))))
    ),
    ("all is 5", test(key("all"), .compares(.equal, .scalar(5)))),
    ("all", .text("all")), ("a=5", test(key("a"), .compares(.equal, .scalar(5)))),
    ("a == b", test(key("a"), .compares(.equal, .scalar("b")))),
    ("a!=5", test(key("a"), .compares(.different, .scalar(5)))),
    ("a>=5", test(key("a"), .compares(.atLeast, .scalar(5)))),
    ("a atmost -5", test(key("a"), .compares(.atMost, .scalar(-5)))),
    (
      "a<5 b>6",
      .all([
        test(key("a"), .compares(.under, .scalar(5))),
        test(key("b"), .compares(.over, .scalar(6))),
      ])
    ),
    (#"a is "5""#, test(key("a"), .compares(.equal, .scalar("5")))),
    ("a in 5..9,x", test(key("a"), .isAmong(choices(.value, "5..9", "x")))),
    (
      "..email has @example.org",
      test(QueryPlace(.state, [.deep("email")]), .has(.scalar("@example.org")))
    ),
    ("a starts b", test(key("a"), .starts(.scalar("b")))),
    ("a ends b", test(key("a"), .ends(.scalar("b")))),
    ("a missing", test(key("a"), .missing)), ("a type string", test(key("a"), .isOfType(.string))),
    ("a grew", test(key("a"), .grew(by: nil))),
    ("a shrank by 5..", test(key("a"), .shrank(by: choices(.value, "5..").first))),
    ("type is todo", test(key("type"), .compares(.equal, .scalar("todo")))),
    (
      #"["a b"].c[3]["x\"y"] exists"#,
      test(
        QueryPlace(.state, [.key("a b"), .key("c"), .index(3), .key("x\"y")]), .exists)
    ),
    ("$ changed", test(QueryPlace(), .changed(from: nil, to: nil))),
    (
      "payload.value is all",
      test(
        QueryPlace(.payload, [.key("value")]), .compares(.equal, .scalar("all")))
    ),
    ("state.state.x exists", test(key("state", "x"), .exists)),
    ("40154945-95C9.EFAD67AD-1 exists", test(key("40154945-95C9", "EFAD67AD-1"), .exists)),
    ("größe[-1] exists", test(QueryPlace(.state, [.key("größe"), .index(-1)]), .exists)),
    (
      #"list["a b":"c d"] exists"#,
      test(
        QueryPlace(.state, [.key("list"), .element("a b", .scalar("c d"))]), .exists)
    ),
  ]

  @Test(arguments: trees)
  func `a query is read`(text: String, tree: Query) throws {
    let query = try Query(text)
    #expect(query == tree)
    #expect(try Query(query.description) == tree)
  }

  @Test func `a key that is an id has no quotation marks, whatever it begins with`() throws {
    for text in ["40154945-95C9.EFAD67AD-1", "EFAD67AD-1.40154945-95C9", #"state["7"].a"#] {
      #expect(try QueryPlace(path: text).description == text)
    }
  }

  @Test(
    arguments: [
      ("", 1, .empty), ("  ", 3, .empty),
      ("a and", 6, .unexpected(nil, expected: "a test")),
      ("a or or", 6, .unexpected("or", expected: "a test")),
      ("(a", 3, .unexpected(nil, expected: "')'")),
      ("a)", 2, .unexpected(")", expected: "'and', 'or' or the end")),
      ("is 5", 1, .unexpected("is", expected: "a path before 'is'")),
      ("count over", 11, .unexpected(nil, expected: "a value")),
      ("count over and", 12, .unexpected("and", expected: "a value")),
      ("kinds:action", 1, .unknown(.field, "kinds")),
      ("-kinds:action", 2, .unknown(.field, "kinds")),
      ("a kind:acton", 8, .unknown(.kind, "acton")), ("level:loud", 7, .unknown(.level, "loud")),
      ("x type text", 8, .unknown(.type, "text")),
      ("row:5..x", 5, .unexpected("5..x", expected: QueryUnit.count.expected)),
      ("row:9..2", 5, .emptyRange("9..2", meant: "2..9")),
      ("size:1M..10k", 6, .emptyRange("1M..10k", meant: "10k..1M")),
      ("dt:2s..3s,2s..5ms", 11, .emptyRange("2s..5ms", meant: "5ms..2s")),
      ("at:23:00..01:00", 4, .emptyRange("23:00..01:00", meant: "01:00..23:00")),
      ("level:error..info", 7, .emptyRange("error..info", meant: "info..error")),
      ("count in 1,9..2", 12, .emptyRange("9..2", meant: "2..9")),
      ("count grew by 9..-2", 15, .emptyRange("9..-2", meant: "-2..9")),
      ("row: 5", 5, .unexpected(nil, expected: QueryUnit.count.expected + " after 'row:'")),
      ("at:25:00", 4, .unexpected("25:00", expected: QueryUnit.clock.expected)),
      ("dt:5", 4, .unexpected("5", expected: QueryUnit.time.expected)),
      (#"name is "a"#, 9, .unclosed("\"")), ("a[3 exists", 2, .unclosed("[")),
      (#""a\x""#, 1, .invalidString),
      ("a.. exists", 4, .unexpected(nil, expected: "a name")),
      ("..* has milk", 3, .unexpected("*", expected: "a name, such as ..title")),
      ("a..% exists", 4, .unexpected("%", expected: "a name, such as ..title")),
      ("..@sum over 3", 3, .unexpected("@", expected: "a name, such as ..title")),
      (
        "a[x] is 5", 3,
        .unexpected("x", expected: "an index, a quoted name, or a name with ':' and a value")
      ),
      ("items.@avg is 5", 7, .unknown(.aggregate, "avg")),
      ("x matches *a", 11, .pattern(.nothingToRepeat("*"))),
      ("before changed", 8, .comparesStates("changed")),
      ("becomes (x grew)", 12, .comparesStates("grew")),
      ("becomes before x exists", 9, .comparesStates("before")),
      ("before before.x exists", 8, .comparesStates("before.")),
    ] as [(String, Int, QueryFault)])
  func `an error has its column`(text: String, column: Int, fault: QueryFault) {
    let error = #expect(throws: QueryError.self) { try Query(text) }
    let wanted = QueryError(fault, column: column)
    #expect(error == wanted)
  }

  @Test(arguments: [
    ("kinds:x", "Did you mean 'kind:'?"), ("level:waring", "Did you mean 'warning'?"),
    ("a.@avg is 1", "Known: @count, @sum, @min, @max."),
    ("x type text", "Known: null, bool, number, string, array, object."),
  ])
  func `an unknown word is told the nearest`(text: String, suggestion: String) {
    let error = #expect(throws: QueryError.self) { try Query(text) }
    #expect(error?.fault.suggestion == suggestion)
  }

  @Test(
    arguments: [
      (["count", "over", "10"], "count over 10"),
      (["name", "is", "Buy milk"], #"name is "Buy milk""#),
      (["route", "is", ""], #"route is """#), (["todos[id:7].done changed to true"], nil),
      ([#"["a b"].c"#, "exists"], nil), ([#"name:"a b""#, "x"], #""name:\"a b\"" x"#),
      (["say", #"a "b" c"#], #"say "a \"b\" c""#), ([], ""),
    ] as [([String], String?)])
  func `the words of a command line are joined`(words: [String], text: String?) {
    let wanted = text ?? words.joined(separator: " ")
    #expect(Query.text(of: words) == wanted)
  }

  @Test func `too much is refused`() {
    let megabyte = String(repeating: "a ", count: 500_000)
    #expect(throws: QueryError(.tooLong, column: 1)) { try Query(megabyte) }
    for part in ["(", "not ", "(not ", "((a or "] {
      #expect(throws: QueryError.self) { try Query(String(repeating: part, count: 8_000)) }
    }
    let deep = String(repeating: "(", count: 64) + "a"
    #expect(throws: QueryError(.tooDeep, column: 65)) { try Query(deep) }
  }

  @Test func `as many words as may be are read`() throws {
    let wide = try Query(String(repeating: "a ", count: 32_000))
    guard case .all(let parts) = wide else { return #expect(Bool(false)) }
    #expect(parts.count == 32_000)
    let long = "a" + String(repeating: ".a", count: 32_000) + " exists"
    #expect(try Query(long).description == long)
  }

  /// Nothing that a person or a stranger types ends the program.
  @Test(arguments: 0..<40) func `whatever is typed is read or refused`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let parts = [
      "a", " ", "(", ")", "[", "]", "\"", "\\", ".", "..", "@sum", "@", ":", ",", "=", "!", "<",
      "is", "not ", "before ", "becomes ", "changed ", "in ", "5..", "row:", "kind:", "-", "*",
      "{", "}", "\u{301}", "👩‍👩‍👧", "\0", "\r\n", "9e99999", "state", "payload.", "matches ", "all ",
    ]
    for _ in 0..<300 {
      let count = Int.random(in: 1...12, using: &random)
      let text = (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
      do throws(QueryError) {
        let query = try Query(text)
        let again = try? Query(query.description)
        #expect(again == query, "\(text.debugDescription)")
      } catch {
        #expect(error.column >= 1 && error.column <= text.unicodeScalars.count + 1, "\(text)")
        #expect(!error.description.isEmpty)
      }
    }
  }
}
