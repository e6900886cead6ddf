import JSONTools
import JSONTree
import Testing

/// A typed literal, and the JSON that it means.
struct Literal: CustomTestStringConvertible, Sendable {
  let name: String
  let text: String
  let json: String

  init(_ name: String, _ text: String, _ json: String) {
    (self.name, self.text, self.json) = (name, text, json)
  }

  var testDescription: String { name }
}

/// A typed literal, why it is refused, and where.
struct Refusal: CustomTestStringConvertible, Sendable {
  let text: String
  let reason: LiteralFault
  let line: Int
  let column: Int

  init(_ text: String, _ reason: LiteralFault, _ line: Int, _ column: Int) {
    (self.text, self.reason, self.line, self.column) = (text, reason, line, column)
  }

  var testDescription: String { text }
}

@Suite struct JavaScriptLiteralTests {
  @Test(arguments: [
    Literal(
      "dispatcher's example", "{type:'counter/inc',by:100}", #"{"type":"counter/inc","by":100}"#),
    Literal("strict JSON", #"{"a":[1,-2.5e+3,null,true]}"#, #"{"a":[1,-2.5e3,null,true]}"#),
    Literal("trailing commas", "[1,{a:2,},]", #"[1,{"a":2}]"#),
    Literal("empty", "[{},[]]", "[{},[]]"),
    Literal("comments", "// a\n{/* b */a/**/:1 // c\n}/*d*/", #"{"a":1}"#),
    Literal("white space of all kinds", "\u{feff}\u{a0}[\t1\u{2028},\r\n2 ] ", "[1,2]"),
    Literal("parentheses", "( ({a: 1}) );", #"{"a":1}"#),
    Literal(
      "names as keys", "{$a_1:1,été:2,null:3,get:4}", #"{"$a_1":1,"été":2,"null":3,"get":4}"#),
    Literal("quoted keys", #"{'a b':1,"c":2}"#, #"{"a b":1,"c":2}"#),
    Literal("numeric keys", "{1:1,0x10:2}", #"{"1":1,"16":2}"#),
    Literal("computed keys", "{['a']:1,[ `b` ]:2,[3]:3}", #"{"a":1,"b":2,"3":3}"#),
    Literal("single quotes", #"'a"b'"#, #""a\"b""#),
    Literal("template", "`a\r\nb$ {`", #""a\nb$ {""#),
    Literal("escapes", #"'\b\f\n\r\t\v\0\'\"\`\\\a\/'"#, #""\b\f\n\r\t\u000b\u0000'\"`\\a/""#),
    Literal("numeric escapes", #"'\x41\u00e9\u{1F3C4}\ud83c\udfc4'"#, "\"Aé🏄🏄\""),
    Literal("continued line", "'a\\\nb\\\r\nc'", #""abc""#),
    Literal(
      "hexadecimal", "[0xff,0XFF,-0x10,0xffffffffffffffff]", "[255,255,-16,18446744073709551615]"),
    Literal("octal and binary", "[0o17,0b101]", "[15,5]"),
    Literal("bare fractions", "[.5,5.,-.5e1,5.e1]", "[0.5,5,-0.5e1,5e1]"),
    Literal("signs", "[+1,- 1,+.5]", "[1,-1,0.5]"),
    Literal("separators", "[1_000,1_0.0_1,0xf_f]", "[1000,10.01,255]"),
    Literal("long integer", "12345678901234567890123", "12345678901234567890123"),
    Literal("hexadecimal beyond 64 bits", "0x10000000000000000", "18446744073709552000"),
    Literal("undefined", "{a:undefined}", #"{"a":null}"#),
  ])
  func literalsAreRead(_ literal: Literal) throws {
    let json = try JavaScriptLiteral.parse(literal.text)
    // 2^64 prints differently as a `Double`; its value counts.
    if case .number(let number) = json, literal.json.hasSuffix("000") {
      #expect(number.double == Double(literal.json))
    } else {
      #expect(json.text() == literal.json)
    }
  }

  @Test(arguments: [
    Refusal("", .unexpectedEnd, 1, 1),
    Refusal("{a:1", .unexpectedEnd, 1, 5),
    Refusal("'abc", .unexpectedEnd, 1, 5),
    Refusal("1 2", .trailingText, 1, 3),
    Refusal("[1 2]", .unexpected("2"), 1, 4),
    Refusal("[1,,2]", .unexpected(","), 1, 4),
    Refusal("{a:\n  NaN}", .notFinite("NaN"), 2, 3),
    Refusal("-Infinity", .notFinite("Infinity"), 1, 2),
    Refusal("[1e999]", .notFinite("1e999"), 1, 2),
    Refusal("{a:b.c}", .variable("b.c"), 1, 4),
    Refusal("{at:Date.now()}", .call("Date.now"), 1, 5),
    Refusal("{at:new Date(0)}", .call("Date"), 1, 5),
    Refusal("{a:()=>1}", .function, 1, 4),
    Refusal("{a:x=>1}", .function, 1, 4),
    Refusal("{a:function(){}}", .function, 1, 4),
    Refusal("{a(){}}", .function, 1, 2),
    Refusal("{get a(){return 1}}", .function, 1, 2),
    Refusal("{a:1,\n ...rest}", .spread, 2, 2),
    Refusal("[...rest]", .spread, 1, 2),
    Refusal("{a}", .shorthand("a"), 1, 2),
    Refusal("{[a]:1}", .computedKey, 1, 2),
    Refusal("{1.5:1}", .numericKey, 1, 2),
    Refusal("`a${b}`", .interpolation, 1, 3),
    Refusal("{a:1+1}", .expression("+"), 1, 5),
    Refusal("'a'.length", .expression("."), 1, 4),
    Refusal("/a/g", .regularExpression, 1, 1),
    Refusal("1__0", .invalidNumber, 1, 1),
    Refusal("0x", .unexpectedEnd, 1, 3),
    Refusal("3px", .invalidNumber, 1, 1),
    Refusal("-.", .invalidNumber, 1, 1),
    Refusal("010", .leadingZero, 1, 1),
    Refusal("10n", .bigInteger, 1, 1),
    Refusal(#"'\x4'"#, .invalidEscape, 1, 2),
    Refusal(#"'\01'"#, .invalidEscape, 1, 2),
    Refusal(#"'\u{110000}'"#, .invalidEscape, 1, 2),
    Refusal(#"'é\ud800'"#, .loneSurrogate, 1, 3),
    Refusal("'a\nb'", .lineBreakInString, 1, 3),
    Refusal("1 /* a", .unclosedComment, 1, 3),
  ])
  func whatIsNoLiteralIsRefusedWithItsPlace(_ refusal: Refusal) {
    #expect(
      throws: JavaScriptLiteralError(
        refusal.reason, line: refusal.line, column: refusal.column)
    ) { try JavaScriptLiteral.parse(refusal.text) }
  }

  @Test func errorsSayWhatToDo() {
    let error = #expect(throws: JavaScriptLiteralError.self) {
      try JavaScriptLiteral.parse("{a:1, ...b}")
    }
    #expect(
      error?.description
        == "line 1, column 7: a spread, and no code is run; write its members out")
  }

  @Test(arguments: [("[", "]"), ("{a:", "}"), ("(", ")")])
  func nestingIsReadUpToItsBound(_ open: String, _ close: String) throws {
    let depth = JavaScriptLiteral.depthMax
    func nested(_ depth: Int) -> String {
      String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
    }
    _ = try JavaScriptLiteral.parse(nested(depth))
    let error = #expect(throws: JavaScriptLiteralError.self) {
      try JavaScriptLiteral.parse(nested(depth + 1))
    }
    #expect(error?.reason == .tooDeep)
  }
}
