import JSONTools
import JSONTree
import Testing

/// What `JSON.stringify(JSON.parse(text))` gave in Node.js 18.
@Suite struct JavaScriptTextTests {
  @Test(arguments: [
    ("0", "0"), ("-0", "0"), ("-0.0", "0"), ("1.0", "1"), ("1e3", "1000"), ("1E+2", "100"),
    ("1e21", "1e+21"), ("1e20", "100000000000000000000"), ("3.0e21", "3e+21"),
    ("123456789012345680000", "123456789012345680000"), ("1.5e-7", "1.5e-7"), ("1e-7", "1e-7"),
    ("0.000001", "0.000001"), ("2e-6", "0.000002"), ("0.00001234", "0.00001234"),
    ("12345678901234567890", "12345678901234567000"), ("9007199254740993", "9007199254740992"),
    ("-9007199254740993", "-9007199254740992"), ("0.1", "0.1"), ("123.456", "123.456"),
    ("1e400", "null"), ("-1e400", "null"), ("1e-400", "0"), ("5e-324", "5e-324"),
    ("1.7976931348623157e308", "1.7976931348623157e+308"), ("-12.50", "-12.5"),
    ("999999999999999", "999999999999999"), ("1000000000000000", "1000000000000000"),
    ("123456789.123456789", "123456789.12345679"), ("-1e-10", "-1e-10"),
    ("1.0000000000000002", "1.0000000000000002"),
  ])
  func `numbers are printed as JavaScript prints them`(text: String, printed: String) throws {
    #expect(try Self.printed(text) == printed)
  }

  @Test(arguments: [
    (#"{ "b" : 1, "a" : [ ] , "2":0,"10":1,"1":{ } }"#, #"{"1":{},"2":0,"10":1,"b":1,"a":[]}"#),
    (#"{"a":1,"b":2,"a":3}"#, #"{"a":3,"b":2}"#),
    (
      #"{"01":1,"1":2,"4294967294":3,"4294967295":4,"0":5,"-1":6,"":7}"#,
      #"{"0":5,"1":2,"4294967294":3,"01":1,"4294967295":4,"-1":6,"":7}"#
    ),
    (#"{"__proto__":1,"toString":2}"#, #"{"__proto__":1,"toString":2}"#),
    (#"{"\u00e9":1,"e\u0301":2}"#, "{\"\u{e9}\":1,\"e\u{301}\":2}"),
    ("[1.0,true,false,null,[[]]]", "[1,true,false,null,[[]]]"),
  ])
  func `members stand in the order of JavaScript`(text: String, printed: String) throws {
    #expect(try Array(Self.printed(text).utf8) == Array(printed.utf8))
  }

  @Test func `only what JSON must escape is escaped`() throws {
    let text = #""\u0000\u001f\u007f\u2028\/\b\f\n\r\t\"\\ é 😀""#
    #expect(
      try Self.printed(text) == "\"\\u0000\\u001f\u{7f}\u{2028}/\\b\\f\\n\\r\\t\\\"\\\\ é 😀\"")
  }

  private static func printed(_ text: String) throws -> String {
    String(decoding: try JSON(parsing: text).javaScriptBytes, as: UTF8.self)
  }
}
