import JSONTools
import JSONTree
import Testing

@Suite struct JSANTests {
  @Test(arguments: [
    Literal("undefined in an object", #"{"a":{"$jsan":"u"},"b":1}"#, #"{"b":1}"#),
    Literal("undefined in an array", #"[{"$jsan":"u"},1]"#, "[null,1]"),
    Literal("undefined alone", #"{"$jsan":"u"}"#, "null"),
    Literal(
      "not finite", #"[{"$jsan":"n"},{"$jsan":"i"},{"$jsan":"y"}]"#, "[null,null,null]"),
    Literal("date", #"{"$jsan":"d1700000000123"}"#, #""2023-11-14T22:13:20.123Z""#),
    Literal("date before 1970", #"{"$jsan":"d-5"}"#, #""1969-12-31T23:59:59.995Z""#),
    Literal(
      "date after 9999", #"{"$jsan":"d8640000000000000"}"#, #""+275760-09-13T00:00:00.000Z""#),
    Literal("invalid date", #"{"$jsan":"dNaN"}"#, "null"),
    Literal(
      "texts",
      #"[{"$jsan":"rgi,a+"},{"$jsan":"eno"},{"$jsan":"ss"},{"$jsan":"gg"},{"$jsan":"f() => 1"}]"#,
      #"["gi,a+","no","s","g","() => 1"]"#),
    Literal(
      "map", #"{"$jsan":"m[[\"b\",1],[\"a\",{\"$jsan\":\"d2\"}]]"}"#,
      #"{"b":1,"a":"1970-01-01T00:00:00.002Z"}"#),
    Literal("map with undefined", #"{"$jsan":"m[[\"a\",{\"$jsan\":\"u\"}]]"}"#, "{}"),
    Literal("map with other keys", #"{"$jsan":"m[[1,2],[\"a\",3]]"}"#, #"[[1,2],["a",3]]"#),
    Literal("set", #"{"$jsan":"l[1,{\"$jsan\":\"u\"}]"}"#, "[1,null]"),
    Literal("set in a set", #"{"$jsan":"l[{\"$jsan\":\"l[1]\"}]"}"#, "[[1]]"),
    Literal("malformed map", #"{"$jsan":"m[["}"#, #"{"$jsan":"m[["}"#),
    Literal(
      "reference", #"{"a":{"b":[1,2]},"c":{"$jsan":"$.a.b"}}"#, #"{"a":{"b":[1,2]},"c":[1,2]}"#),
    Literal("reference by index", #"[[{"x":1}],{"$jsan":"$[0][0]"}]"#, #"[[{"x":1}],{"x":1}]"#),
    Literal(
      "reference by quoted key", #"{"a \"b":[1],"c":{"$jsan":"$[\"a \\\"b\"]"}}"#,
      #"{"a \"b":[1],"c":[1]}"#),
    Literal("reference ahead", #"{"a":{"$jsan":"$.b"},"b":[1]}"#, #"{"a":[1],"b":[1]}"#),
    Literal(
      "reference to what refers", #"{"a":[1],"b":{"$jsan":"$.a"},"c":{"$jsan":"$.b"}}"#,
      #"{"a":[1],"b":[1],"c":[1]}"#),
    Literal(
      "reference inside a set", #"{"$jsan":"l[[1],{\"$jsan\":\"$[0]\"}]"}"#, "[[1],[1]]"),
    Literal("reference to nothing", #"{"a":{"$jsan":"$.b.c"}}"#, #"{"a":null}"#),
    Literal(
      "reference by a key that begins with a combining mark",
      #"{"\u0301x":[1],"c":{"$jsan":"$[\"\u0301x\"]"}}"#, "{\"\u{301}x\":[1],\"c\":[1]}"),
    Literal("reference by a sign", #"[[1],{"$jsan":"$[+0]"}]"#, "[[1],null]"),
    Literal("reference by a leading zero", #"[[1],{"$jsan":"$[00]"}]"#, "[[1],null]"),
    Literal("reference that is no path", #"{"a":{"$jsan":"$b"}}"#, #"{"a":null}"#),
    Literal("cycle to the root", #"{"a":{"$jsan":"$"}}"#, #"{"a":null}"#),
    Literal("cycle further in", #"{"a":{"b":{"$jsan":"$.a"}}}"#, #"{"a":{"b":null}}"#),
    Literal(
      "two in a cycle", #"{"a":{"b":{"$jsan":"$.c"}},"c":{"d":{"$jsan":"$.a"}}}"#,
      #"{"a":{"b":{"d":null}},"c":{"d":{"b":null}}}"#),
    Literal(
      "references in a cycle", #"{"a":{"$jsan":"$.b"},"b":{"$jsan":"$.a"}}"#,
      #"{"a":null,"b":null}"#),
    Literal("a key of that name", #"{"$jsan":["u"],"a":1}"#, #"{"$jsan":"u","a":1}"#),
    Literal("an unknown mark", #"{"$jsan":"zz"}"#, #"{"$jsan":"zz"}"#),
    Literal("text that looks like a path", #"{"a":1,"b":"$.a"}"#, #"{"a":1,"b":"$.a"}"#),
  ])
  func marksBecomePlain(_ literal: Literal) throws {
    #expect(JSAN.plain(try JSON(parsing: literal.text)).text() == literal.json)
  }

  /// Each level refers twice to the one before: 2^40 values.
  @Test func copiesAreBounded() throws {
    let levels = (1..<40).map { #"[{"$jsan":"$[\#($0 - 1)]"},{"$jsan":"$[\#($0 - 1)]"}]"# }
    let json = try JSON(parsing: "[[1]," + levels.joined(separator: ",") + "]")
    #expect(JSAN.plain(json).bytes().count < 4 * JSAN.copiedByteCountMax)
  }

  @Test func manyReferencesToManyMembersTakeLittleTime() throws {
    let members = (0..<20_000).map { #""k\#($0)":[\#($0)],"r\#($0)":{"$jsan":"$.k\#($0)"}"# }
    let json = try JSON(parsing: "{" + members.joined(separator: ",") + "}")
    let clock = ContinuousClock()
    let start = clock.now
    let plain = JSAN.plain(json)
    #expect(clock.now - start < .seconds(10))
    guard case .object(let object) = plain else { throw Failure() }
    #expect(object["r19999"] == [19999])
  }

  @Test func aLongChainOfReferencesEndsInNull() throws {
    let chain = (1..<5000).map { #"{"$jsan":"$[\#($0 - 1)]"}"# }
    let json = try JSON(parsing: "[[7]," + chain.joined(separator: ",") + "]")
    guard case .array(let elements) = JSAN.plain(json) else { throw Failure() }
    #expect(elements[100] == [7])
    #expect(elements[4999] == .null)
  }

  struct Failure: Error {}
}
