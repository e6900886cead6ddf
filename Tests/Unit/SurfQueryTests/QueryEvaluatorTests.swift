import JSONTree
import SurfQuery
import SurfWire
import TestSupport
import Testing

@Suite struct QueryEvaluatorTests {
  private func holds(_ text: String, _ subject: QuerySubject) throws -> Bool {
    var evaluator = QueryEvaluator(try Query(text), secondsFromGMT: 3_600)
    return evaluator.holds(for: subject)
  }

  private func subject(_ state: String?, _ before: String? = nil) throws -> QuerySubject {
    QuerySubject(
      Record(sequence: 7, kind: .action, name: "x"),
      state: try state.map { try JSON(parsing: $0) },
      before: try before.map { try JSON(parsing: $0) })
  }

  static let state = """
    {"count":12,"big":12345678901234567890.5,"name":"Ada Lovelace","none":null,"on":true,"five":"5",
     "items":[{"id":1,"price":1.5,"done":true},{"id":7,"price":2,"done":false,"tag":"x"}],
     "empty":[],"users":{"a":{"email":"a@example.org"},"b":{"email":"b@example.com","n":[3]}},
     "total":3.50,"a b":{"[x]":1},"twice":1,"twice":2}
    """

  @Test(arguments: [
    ("line ends \"\\n\"", true), ("line starts \"\\r\"", false), ("flag starts 🇩", true),
    ("flag ends 🇪", true), ("flag starts 🇩🇪", true), ("name starts e", true),
    ("name starts é", false),
    ("name is é", false), ("name has e", true), ("name ends \u{301}", true),
    ("é is 1", true), ("e\u{301} is 2", true), ("é missing", false), ("name under f", true),
    (#"word matches "a\b""#, true), (#"word matches "\w\b\W""#, true),
  ])
  func `texts are compared by their scalars`(text: String, expected: Bool) throws {
    let state = #"{"line":"GET /\r\n","flag":"🇩🇪","name":"e\u0301","é":1,"e\u0301":2,"word":"aé"}"#
    #expect(try holds(text, try subject(state)) == expected)
  }

  @Test(arguments: [
    ("count is 12", true), ("count is 12.0", true), ("count is 1.2e1", true),
    ("count is not 12", false), ("count = 13", false), ("count != 13", true),
    ("count over 11.99", true), ("count over 12", false), ("count atleast 12", true),
    ("count under 12", false), ("count atmost 12", true), ("count over a", false),
    ("big over 12345678901234567890.4", true), ("big is 12345678901234567890.50", true),
    ("five is 5", true), ("five is 5.0", false), (#"count is "12""#, false), ("five over 4", false),
    ("five atleast 5", true), ("on is true", true), (#"on is "true""#, false),
    ("none is null", true), ("none exists", true), ("gone is null", false), ("gone missing", true),
    ("gone is 5", false), ("gone is not 5", true), ("gone over 5", false), ("gone exists", false),
    ("name is Ada", false), (#"name is "Ada Lovelace""#, true), ("name has Love", true),
    ("name has love", false), ("name starts Ada", true), ("name ends lace", true),
    (#"name matches "^A.a\b""#, true), (#"count matches "^1\d$""#, true), ("on matches t", false),
    ("name over Abc", true), ("name under Abc", false),
    ("count in 1..12", true), ("count in ..11,13..", false), ("count in 12", true),
    ("name in x,y", false), (#"name in "Ada Lovelace""#, true), ("count in ..0.012k", true),
    ("items.*.id is 7", true), ("items.%.id is not 7", false), ("items.%.id is not 9", true),
    ("items.0.id is 1", true), ("items[1].id is 7", true), ("items[-1].id is 7", true),
    ("items[9].id exists", false), ("items[-9].id exists", false), ("items.01.id is 7", true),
    ("items[9] exists", false), ("items[-9] exists", false), ("items.9 exists", false),
    ("items[9] missing", true), ("items[9] is null", false), ("items[9] is not null", true),
    ("items[id:7].price is 2", true), ("items[id:1].price is 2", false),
    ("items[tag:x].id is 7", true), ("items[tag:y] exists", false),
    ("all items.%.price over 1", true), ("all items.%.done is true", false),
    ("all items.%.done is not 5", true), ("all items.%.done is not true", false),
    ("all empty.% is 5", false), ("all items.%.tag is x", true),
    ("..email ends @example.org", true), ("all ..email has @example", true),
    ("..email is x", false), ("users..n[0] is 3", true), ("users.@count is 2", true),
    ("items.@count is 2", true), ("items.@count.tag is 1", true), ("empty.@sum is 0", true),
    ("empty.@min exists", false), ("items.@sum.price is total", false),
    ("items.@sum.price is state.total", true), ("total is state.items.@sum.price", true),
    ("items.@max.price is 2", true), ("items.@min.price is 1.5", true),
    ("items.@sum.tag exists", false), ("name.@count exists", false),
    ("items type array", true), ("users type object", true), ("none type null", true),
    ("gone type null", false), ("items has 5", false), ("users has a", true),
    ("users has z", false),
    (#"["a b"]["[x]"] is 1"#, true), ("twice is 2", true), ("twice is 1", false),
    ("state.count is 12", true), ("$ type object", true), ("count.x exists", false),
    ("items.%.price is state.items.%.id", false), ("items is state.items", true),
  ])
  func `a relation holds or does not`(text: String, isTrue: Bool) throws {
    let subject = try subject(Self.state)
    let holds = try holds(text, subject)
    #expect(holds == isTrue)
  }

  @Test(arguments: [
    ("changed", true), ("n changed", true), ("same changed", false), ("n changed from 1", true),
    ("n changed from 2", false), ("n changed from 1 to 2", true), ("n changed to 1", false),
    ("user changed to null", true), ("user changed from null", false),
    ("new changed from null", true),
    ("new changed", true), ("gone changed", false), ("form changed", true),
    ("list grew", true), ("list grew by 2", true), ("list grew by 3", false),
    ("list grew by 2..", true),
    ("list shrank", false), ("n grew by 1", true), ("down shrank by 0.5", true),
    ("down grew", false),
    ("text grew by 3", true), ("new grew", false), ("map shrank by 1", true),
    ("todos[id:7].done changed to true", true), ("todos[id:8].done changed", false),
    ("todos.%.done changed", true), ("all todos.%.done changed", false),
    ("all list.% exists", true),
    ("before n is 1", true), ("before.n is 1", true), ("n over before.n", true),
    ("becomes n is 2", true), ("becomes same is 1", false), ("becomes n over 0", false),
    ("user changed to null and before.list.@count over 0", true),
    ("before (n is 1 and same is 2)", false),
    ("before user exists", true), ("before new exists", false), ("before new is not 5", true),
  ])
  func `two states are compared`(text: String, isTrue: Bool) throws {
    let subject = try subject(
      """
      {"n":2,"same":1,"list":[1,2,3],"text":"abcd","down":1.0,"new":5,"map":{},"form":1.0,
       "todos":[{"id":7,"done":true},{"id":8,"done":false}]}
      """,
      """
      {"n":1,"same":1,"list":[1],"text":"a","down":1.5,"user":"ada","map":{"a":1},"form":1,
       "todos":[{"id":6,"done":true},{"id":7,"done":false},{"id":8,"done":false}]}
      """)
    let holds = try holds(text, subject)
    #expect(holds == isTrue)
  }

  @Test(arguments: [
    "changed", "n changed", "n grew", "before n exists", "n shrank by 1", "all n changed",
    "becomes n is 1", "before.n missing", "n is before.n", "row:7 changed", "row:8 or changed",
  ])
  func `of a state before that nobody knows nothing is told`(text: String) throws {
    let isTrue = try holds(text, try subject(#"{"n":1}"#))
    #expect(!isTrue)
    let isFalse = try holds("not (\(text))", try subject(#"{"n":1}"#))
    #expect(!isFalse)
  }

  private var row: QuerySubject {
    let payload = Content(type: "application/json", bytes: Array(#"{"title":"Buy Milk"}"#.utf8))
    var subject = QuerySubject(
      Record(
        sequence: 42, kind: .action, wallTime: (13 * 60 + 3) * 60_000_000_000, parent: 40,
        name: "addTodo(title)", source: "Todo/Sources/Main.swift:17", payload: payload,
        grownFrom: GrownFrom(from: .record(14))))
    (subject.stateSize, subject.sizeBefore, subject.sinceBefore) = (12_000, 1_500, 300_000_000)
    subject.viewer = "ada@desk"
    subject.appNames = ["Todo", "Todo#12"]
    return subject
  }

  @Test(arguments: [
    ("row:42", true), ("row:1..41,43..", false), ("row:..42", true), ("row:40..45", true),
    ("kind:action", true), ("kind:log,mark", false), ("name:addtodo", true),
    ("name:addTodo", true), ("name:AddTodo", false), (#"name:"addTodo(title)""#, true),
    ("name:add", false), ("name:addT*", true), ("name:%odo", true), ("name:*d*T*o", true),
    ("name:b*", false), ("name:addTodo*addTodo", false), (#"name:"add*""#, false),
    ("name:ADD*", false), ("by:*@desk", true), ("file:*.swift", true), ("file:Main.swift", true),
    ("file:main.swift", true),
    ("file:Sources/Main.swift", true), ("file:ain.swift", false), ("line:17", true),
    ("line:10..16", false), ("cause:40", true), ("cause:..39", false), ("chain:42", false),
    ("from:14", true), ("from:0", false),
    ("by:ada", true), ("by:ada@desk", true), ("by:ad", false), ("-by:ada", false),
    ("app:todo", true), (#"app:"Todo#12""#, true), ("app:x", false), ("at:14:03", true),
    ("at:14:03:00..14:03:01", true), ("at:..14:02", false), ("at:14:03:00.000", true),
    ("dt:250ms..", true), ("dt:0.3s", true), ("dt:1m..", false), ("dt:..1h", true),
    ("size:12k", true), ("size:10kB..1M", true), ("size:..11999", false), ("grew:10k..", true),
    ("grew:..10k", false), ("level:error", false), ("mark:addTodo", false),
    ("milk", true), ("Milk", true), ("MILK", false), (#""buy milk""#, true), ("addtodo", true),
    ("payload.title is \"Buy Milk\"", true), ("payload.title missing", false), ("honey", false),
    ("payload type object", true),
  ])
  func `a row is asked about itself`(text: String, isTrue: Bool) throws {
    let holds = try holds(text, row)
    #expect(holds == isTrue)
  }

  /// The definition: a wildcard is nothing, or any character and itself again.
  private func matches(_ pattern: Substring, _ name: Substring) -> Bool {
    guard let first = pattern.first else { return name.isEmpty }
    guard first == "*" || first == "%" else {
      return name.first == first && matches(pattern.dropFirst(), name.dropFirst())
    }
    return matches(pattern.dropFirst(), name) || !name.isEmpty && matches(pattern, name.dropFirst())
  }

  @Test(arguments: 0..<300)
  func `a wildcard in a name stands for any text`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func text(_ letters: String, _ count: ClosedRange<Int>) -> String {
      String(
        (0..<Int.random(in: count, using: &random)).map { _ in
          letters.randomElement(using: &random) ?? "a"
        })
    }
    let pattern = text("ab*%", 1...5)
    for _ in 0..<20 {
      let name = text("ab", 0...6)
      let subject = QuerySubject(Record(sequence: 1, kind: .action, name: name))
      let isNamed = try holds("name:\(pattern)", subject)
      #expect(isNamed == matches(pattern[...], name[...]), "\(pattern) \(name)")
    }
  }

  /// A description's payload has the names of all actions.
  @Test(arguments: [
    (Record.Kind.revision, "add", false), (.revision, "asked", true),
    (.revision, "name:add", false), (.revision, "payload.creators exists", true),
    (.action, "add", true), (.mark, "add", true),
    (.log(.info), "add", true),
  ])
  func `a text is looked for in what people see of a row`(
    kind: Record.Kind, text: String, isTrue: Bool
  ) throws {
    let payload = Content(
      type: "application/json", bytes: Array(#"{"creators":[{"name":"add"}]}"#.utf8))
    let subject = QuerySubject(
      Record(sequence: 1, kind: kind, name: "initial state asked for by ada", payload: payload))
    let holds = try holds(text, subject)
    #expect(holds == isTrue)
  }

  @Test func `a row is in a chain if it is said to be`() throws {
    var subject = row
    let query = try Query("chain:42")
    guard case .field(_, let choices) = query else { return #expect(Bool(false)) }
    subject.chains = [choices]
    #expect(try holds("chain:42", subject))
    #expect(try !holds("chain:41", subject))
  }

  @Test(arguments: [
    (LogLevel.error, "level:error", true), (.error, "level:warning..", true),
    (.info, "level:warning..", false), (.info, "level:debug,info", true),
    (.trace, "level:..debug", true), (.error, "kind:log", true),
  ])
  func `a line of a log has its level`(level: LogLevel, text: String, isTrue: Bool) throws {
    let subject = QuerySubject(Record(sequence: 1, kind: .log(level), name: "low disk"))
    let holds = try holds(text, subject)
    #expect(holds == isTrue)
  }

  @Test func `what explodes is cut and told`() throws {
    var value = JSON.number(1)
    for _ in 0..<400 { value = .object(JSONObject([JSONObject.Member(key: "a", value: value)])) }
    var evaluator = QueryEvaluator(try Query("..a..a..a..a is 2"))
    let isFound = evaluator.holds(for: QuerySubject(row.record, state: value))
    #expect(!isFound && evaluator.limits == [.places])
    let long = JSON.object(
      JSONObject([
        JSONObject.Member(key: "t", value: .string(String(repeating: "a", count: 70_000)))
      ]))
    evaluator = QueryEvaluator(try Query("t matches b"))
    let isLongFound = evaluator.holds(for: QuerySubject(row.record, state: long))
    #expect(!isLongFound && evaluator.limits == [.pattern])
  }
}
