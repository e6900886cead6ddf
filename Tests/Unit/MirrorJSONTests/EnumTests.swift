import Foundation
import MirrorJSON
import Testing

@Suite struct EnumTests {
  @Test(
    "a case without a payload is its name",
    arguments: [
      Golden("plain", Action.increment, #""increment""#),
      Golden("with a description", Described.secret, #""secret""#),
      Golden("with a raw value", Plain.small, #""small""#),
      Golden("optional", Optional(Action.increment) as Any, #""increment""#),
      Golden("of a library", FloatingPointSign.minus, #""minus""#),
      Golden("Result", Result<Int, Wrong>.failure(.wrong), #"{"failure":"wrong"}"#),
    ])
  func r32(_ golden: Golden) throws { try golden.check() }

  @Test(
    "one payload without a label stands alone",
    arguments: [
      Golden("text", Action.setText("hi"), #"{"setText":"hi"}"#),
      Golden("nil", Action.maybe(nil), #"{"maybe":null}"#),
      Golden("some", Action.maybe(1), #"{"maybe":1}"#),
      Golden("enum", Action.nested(.clear), #"{"nested":"clear"}"#),
      Golden("enum with payload", Action.nested(.add("x")), #"{"nested":{"add":"x"}}"#),
      Golden("struct", Action.point(Point()), #"{"point":{"y":1,"x":2}}"#),
      Golden("with a description", Described.open(1), #"{"open":1}"#),
      Golden("itself", Action.again(.again(.increment)), #"{"again":{"again":"increment"}}"#),
    ])
  func r33(_ golden: Golden) throws { try golden.check() }

  @Test(
    "payloads with labels are an object in their order",
    arguments: [
      Golden("two", Action.load(id: 1, force: false), #"{"load":{"id":1,"force":false}}"#),
      Golden("one", Action.one(id: 1), #"{"one":{"id":1}}"#),
    ])
  func r34(_ golden: Golden) throws { try golden.check() }

  @Test(
    "several payloads without labels are an array, mixed ones an object",
    arguments: [
      Golden("array", Action.pair(1, "a"), #"{"pair":[1,"a"]}"#),
      Golden("mixed", Action.mixed(1, by: 2, 0.5), #"{"mixed":{"_0":1,"by":2,"_2":0.5}}"#),
    ])
  func r35(_ golden: Golden) throws { try golden.check() }

  @Test("an enum has the same text with and without Codable", arguments: 0..<11)
  func r36SameText(_ index: Int) throws {
    let date = Date(timeIntervalSince1970: 1)
    let plain: [Action] = [
      .increment, .setText("hi"), .load(id: 1, force: false), .one(id: 1), .pair(1, "a"),
      .mixed(1, by: 2, .nan), .maybe(nil), .maybe(1), .nested(.add("x")), .date(date),
      .again(.again(.nested(.clear))),
    ]
    let codable: [CodableAction] = [
      .increment, .setText("hi"), .load(id: 1, force: false), .one(id: 1), .pair(1, "a"),
      .mixed(1, by: 2, .nan), .maybe(nil), .maybe(1), .nested(.add("x")), .date(date),
      .again(.again(.nested(.clear))),
    ]
    let text = MirrorJSON.encode(codable[index])
    #expect(text == MirrorJSON.encode(plain[index]))
    try parsed(text)
  }

  @Test(
    "what encodes itself is written so",
    arguments: [
      Golden("struct, keys sorted", CodablePoint(), #"{"x":2,"y":1}"#),
      Golden("struct in an enum", CodableAction.point(CodablePoint()), #"{"point":{"x":2,"y":1}}"#),
      Golden("raw values", [Raw.small, .big], #"["S","b"]"#),
      Golden("own keys of cases", Renamed.first(1), #"{"erster":1}"#),
      Golden("own keys of payloads", RenamedLabel.first(id: 1), #"{"first":{"ID":1}}"#),
      Golden("own encoding", Own.thing(1), #""own""#),
      Golden("own encoding that is an object", Own.other, #"{"type":"other"}"#),
      Golden("enum in a struct", Holder(action: .setText("a/b")), #"{"action":{"setText":"a/b"}}"#),
      Golden("case in a struct", Holder(action: .increment), #"{"action":"increment"}"#),
      Golden("nil in a struct", Holder(action: .maybe(nil)), #"{"action":{"maybe":null}}"#),
      Golden("pair in a struct", Holder(action: .pair(1, "a")), #"{"action":{"pair":[1,"a"]}}"#),
      Golden(
        "labels in a struct", Holder(action: .load(id: 1, force: true)),
        #"{"action":{"load":{"force":true,"id":1}}}"#),
      Golden(
        "enums in an enum in a struct", Holder(action: .again(.nested(.add("x")))),
        #"{"action":{"again":{"nested":{"add":"x"}}}}"#),
      Golden(
        "enums in collections in a struct", Crowd(),
        #"{"list":["clear",{"add":"x"}],"table":{"a":"clear"}}"#),
      Golden("date in a struct", Dated(), #"{"date":"1970-01-01T00:00:00.500Z"}"#),
      Golden("not-a-number falls back", Ratio(), #"{"b":"nan","a":1}"#),
      Golden("an error falls back", Failing(), #"{"x":1}"#),
      Golden(
        "control characters", CodableText(text: "\u{7f}\u{9b}\u{1b}é"),
        #"{"text":"\u007f\u009b\u001bé"}"#),
    ])
  func r36(_ golden: Golden) throws { try golden.check() }

  @Test(
    "the type path names nested cases",
    arguments: [
      Golden("increment", Action.increment as Any, "increment"),
      Golden("setText", Action.setText("hi"), "setText"),
      Golden("nested.add", Action.nested(.add("x")), "nested.add"),
      Golden("again.nested.clear", Action.again(.nested(.clear)), "again.nested.clear"),
      Golden("nested.clear", CodableAction.nested(.clear), "nested.clear"),
      Golden("load", Action.load(id: 1, force: true), "load"),
      Golden("pair", Action.pair(1, "a"), "pair"),
      Golden("maybe", Action.maybe(1), "maybe"),
      Golden("child.clear", Wrapping.child(action: .clear), "child.clear"),
      Golden("secret", Described.secret, "secret"),
      Golden("increment", Optional(Action.increment) as Any, "increment"),
      Golden("Point", Point(), "Point"),
    ])
  func r40(_ golden: Golden) throws {
    #expect(MirrorAction.typePath(try #require(golden.value)) == golden.json)
  }

  @Test(arguments: [
    Golden("increment", Action.increment as Any, "increment"),
    Golden("add", Action.nested(.add("x")), #"nested.add("x")"#),
    Golden("clear", CodableAction.nested(.clear), "nested.clear"),
    Golden("inside of itself", Action.again(.again(.nested(.clear))), "again.again.nested.clear"),
    Golden("labels", Action.again(.load(id: 1, force: true)), "again.load(id: 1, force: true)"),
    Golden("a label before an enum", Wrapping.child(action: .clear), "child.clear"),
    Golden("two", Action.pair(1, "a"), #"pair(1, "a")"#),
    Golden("own description", Described.open(1), "?"),
    Golden("closures", Binding.binding(Bound()), #"binding(Bound(key: \Point.x, value: "Ada"))"#),
    Golden(
      "closures in a tuple", Binding.pair(1, on: Bound()),
      #"pair(1, on: Bound(key: \Point.x, value: "Ada"))"#),
    Golden("a closure alone", Binding.call {}, "call()"),
    Golden("what looks like one", Binding.text("(Function)"), #"text("(Function)")"#),
    Golden("an optional", Binding.maybe(Bound()), #"maybe(Bound(key: \Point.x, value: "Ada"))"#),
    Golden(
      "what writes itself", Binding.secret(Bound(), Veiled()),
      "secret(Bound(key: \\Point.x, value: \"Ada\"), •)"),
    Golden("own description inside", Spoken.said(.secret), "said.?"),
    Golden("text", "saved (1)", "saved (1)"),
    Golden("number", 5, "5"),
  ])
  func `A title is the path of the cases, with the values of the last`(golden: Golden) throws {
    #expect(MirrorAction.title(try #require(golden.value)) == golden.json)
  }

  @Test func `a wrapper that mirrors as its optional is written as that`() {
    #expect(
      MirrorJSON.encode(Screen(sheet: Presented(value: Point())))
        == #"{"sheet":{"y":1,"x":2},"depth":1}"#)
    #expect(MirrorJSON.encode(Screen(sheet: Presented(value: nil))) == #"{"sheet":null,"depth":1}"#)
  }

  @Test("the type path is bounded")
  func r40Bounded() {
    var action = Action.increment
    for _ in 0..<200 { action = .again(action) }
    #expect(
      MirrorAction.typePath(action)
        == Array(repeating: "again", count: MirrorJSON.depthMax).joined(separator: "."))
  }
}

/// As the Composable Architecture's `PresentationState` is.
private struct Presented<Value> {
  let value: Value?
  let effects = "running"
}

extension Presented: CustomReflectable {
  var customMirror: Mirror { Mirror(reflecting: value as Any) }
}

private struct Screen {
  let sheet: Presented<Point>
  let depth = Presented(value: Presented(value: 1))
}

/// As the Composable Architecture's bindings are.
private enum Binding {
  case binding(Bound<Int>)
  case pair(Int, on: Bound<Int>)
  case call(() -> Void)
  case text(String)
  case maybe(Bound<Int>?)
  case secret(Bound<Int>, Veiled)
}

private struct Veiled: TextOutputStreamable {
  let raw = "s3cret"

  func write(to target: inout some TextOutputStream) { target.write("•") }
}

private struct Bound<Value> {
  let key: AnyKeyPath = \Point.x
  let set: (Value) -> Void = { _ in }
  let value: Any = "Ada"
  let isEqual: (Any) -> Bool = { _ in true }
}

private enum Described: CustomStringConvertible {
  case secret
  case open(Int)
  var description: String { "?" }
}

private enum Plain: Int { case small = 1 }
private enum Wrong: Error { case wrong }
private enum Wrapping { case child(action: Action.Inner) }

private enum Raw: String, Codable {
  case small = "S"
  case big = "b"
}

private enum Renamed: Encodable {
  case first(Int)
  enum CodingKeys: String, CodingKey { case first = "erster" }
}

private enum RenamedLabel: Encodable {
  case first(id: Int)
  enum FirstCodingKeys: String, CodingKey { case id = "ID" }
}

private enum Own: Encodable {
  case thing(Int)
  case other

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .thing:
      var container = encoder.singleValueContainer()
      try container.encode("own")
    case .other:
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode("other", forKey: .type)
    }
  }

  enum Keys: CodingKey { case type }
}

private enum Spoken { case said(Described) }

private struct Crowd: Encodable {
  let list = [CodableAction.Inner.clear, .add("x")]
  let table = ["a": CodableAction.Inner.clear]
}

private struct Holder: Encodable { let action: CodableAction }
private struct Dated: Encodable { var date = Date(timeIntervalSince1970: 0.5) }
private struct Ratio: Encodable { var b = Double.nan, a = 1 }
private struct CodableText: Encodable { let text: String }

private struct Failing: Encodable {
  var x = 1
  func encode(to encoder: any Encoder) throws { throw Wrong.wrong }
}
