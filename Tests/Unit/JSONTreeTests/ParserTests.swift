import JSONTree
import TestSupport
import Testing

/// The names of the cases follow JSONTestSuite: `y_` must be read, `n_` must be refused.
@Suite struct ParserTests {
  @Test(
    arguments: [
      ("null", JSON.null), (" true\n", true), ("\t\r\n false ", false), ("0", 0), ("-1", -1),
      ("\"\"", ""), ("[]", []), ("[ ]", []), ("{}", [:]), ("{ }", [:]),
      ("[null, 1, \"1\", {}]", [.null, 1, "1", [:]]), ("[[] ]", [[]]),
      ("{\"a\":{\"b\":[2]}}", ["a": ["b": [2]]]), ("{\"\":0}", ["": 0]),
      ("{\"a\":1,\"a\":2}", ["a": 2]), ("{\"b\":1 , \"a\":2}", ["a": 2, "b": 1]),
    ] as [(String, JSON)])
  func accepts(text: String, value: JSON) throws {
    #expect(try JSON(parsing: text) == value)
    if !text.contains(#""a":1,"a":2"#) { try JSON.check(Array(text.utf8)) }
  }

  @Test(arguments: [
    "0", "-0", "1.0", "1", "1e0", "1E+2", "0.10", "1.5e-7", "0e1", "-0.0",
    "123456789012345678901234",
    "1e99999", "-1.0e-99999",
  ])
  func keepsTheTextOfNumbers(literal: String) throws {
    #expect(try JSON(parsing: "[\(literal)]").text() == "[\(literal)]")
    #expect(JSONNumber(literal: literal)?.literal == literal)
  }

  @Test(arguments: [
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), (#""\u0041\u00e9""#, "Aé"),
    (#""\u0000""#, "\0"), (#""\ud83c\udfc4""#, "🏄"), (#""\uD834\uDd1e""#, "𝄞"),
    (#""a\nb\nc""#, "a\nb\nc"), ("\"é🏄\u{7f}\u{2028}\"", "é🏄\u{7f}\u{2028}"),
    (#""\u005C""#, "\\"), (#""\uFFFF""#, "\u{ffff}"), (#""/""#, "/"),
  ])
  func readsStrings(text: String, string: String) throws {
    #expect(try JSON(parsing: text) == .string(string))
  }

  @Test(arguments: [
    "", " ", "[", "]", "{", "}", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1,,2]", "[}", "{]",
    "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{a:1}", "{'a':1}", "{1:1}",
    "{\"a\" 1}", "{\"a\"::1}", "{,}", "{\"a\":1 \"b\":2}", "[1]x", "[1][2]", "1 2", "nullx",
    "nul", "True", "tru", "fals", "NaN", "Infinity", "-Infinity", "undefined", "+1", "-", "--1",
    "01", "-01", "1.", ".1", "1.e1", "1e", "1e+", "1e1.5", "0x1", "1_000", "1,", "'a'", "\"",
    "\"a", "\"\\", "\"\\\"", #""\x""#, #""\u""#, #""\u12""#, #""\u12g4""#, #""\U0041""#, #""\a""#,
    #""\u00 1""#, "\"\n\"", "\"\t\"", "\"\0\"", "\"\u{1f}\"", #""\ud800""#, #""\udc00""#,
    #""\ud800\ud800""#, #""\ud800x""#, #""\ud800\n""#, #""\udc00\ud800""#, #""\ud800\u""#,
    "//\n1", "/**/1", "[1]#", "\u{feff}1", "\u{a0}1", "\u{0c}1", "[\u{2060}]", "*", "\\u0041",
  ])
  func refuses(text: String) {
    #expect(throws: JSONError.self) { try JSON(parsing: text) }
    #expect(throws: JSONError.self) { try JSON.check(Array(text.utf8)) }
  }

  @Test(
    arguments: [
      [0x80], [0xc0, 0xaf], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xff],
      [0xc3, 0x28], [0xf8, 0x88, 0x80, 0x80, 0x80],
    ] as [[UInt8]])
  func refusesInvalidUTF8(bytes: [UInt8]) {
    let text: [UInt8] = Array("[\n \"é".utf8) + bytes + Array("\"]".utf8)
    #expect(throws: JSONError(.invalidUTF8, line: 2, column: 4)) { try JSON(parsing: text) }
    #expect(throws: JSONError.self) { try JSON(parsing: bytes) }
  }

  @Test(arguments: [
    ("", JSONError(.unexpectedEnd, line: 1, column: 1)),
    ("[1,\n  }", JSONError(.unexpectedByte(0x7d), line: 2, column: 3)),
    ("{\"é🏄\": ?}", JSONError(.unexpectedByte(0x3f), line: 1, column: 8)),
    ("1\n\n x", JSONError(.trailingBytes, line: 3, column: 2)),
    ("[\"a\u{1}\"]", JSONError(.controlCharacter(1), line: 1, column: 4)),
    (#"["ab\q"]"#, JSONError(.invalidEscape, line: 1, column: 5)),
    (#"["ab\ud800"]"#, JSONError(.loneSurrogate, line: 1, column: 5)),
    ("[1", JSONError(.unexpectedEnd, line: 1, column: 3)),
  ])
  func tellsWhatIsWrongAndWhere(text: String, error: JSONError) {
    #expect(throws: error) { try JSON(parsing: text) }
    #expect(throws: error) { try JSON.check(Array(text.utf8)) }
  }

  @Test(arguments: [
    (#"{"a":1,"a":2}"#, 8), (#"{"a":1,"b":2, "a" :3}"#, 15), (#"[{"a":{"":0,"":0}}]"#, 13),
    (#"{"a":1,"\u0061":2}"#, 8),
  ])
  func `checking refuses a key that its object has already`(text: String, column: Int) {
    #expect(throws: JSONError(.repeatedKey, line: 1, column: column)) {
      try JSON.check(Array(text.utf8))
    }
  }

  @Test(arguments: [
    #"[{"a":1},{"a":2}]"#, #"{"a":{"a":{"a":1}},"b":{"a":2}}"#,
    "{\"\u{e9}\":1,\"e\u{301}\":2}",
  ])
  func `checking takes equal keys of different objects, and keys that only look equal`(
    text: String
  ) throws {
    try JSON.check(Array(text.utf8))
  }

  @Test func describesErrorsForPeople() {
    let error = JSONError(.unexpectedByte(0x7d), line: 2, column: 7)
    #expect("\(error)" == "line 2, column 7: unexpected '}'")
  }

  @Test func readsAnyCollectionOfBytes() throws {
    let bytes = Array("x[1]".utf8)
    #expect(try JSON(parsing: bytes.dropFirst()) == [1])
  }
}

@Suite struct DepthTests {
  private func nested(_ depth: Int, _ open: String, _ close: String) -> String {
    String(repeating: open, count: depth) + "0" + String(repeating: close, count: depth)
  }

  @Test(arguments: [("[", "]"), ("{\"a\":", "}")])
  func worksAtTheLimitOfDepth(open: String, close: String) throws {
    let text = nested(JSON.depthMax, open, close)
    let value = try JSON(parsing: text)
    #expect(value.text() == text)
    #expect(try JSON(parsing: value.text(.pretty)) == value)
    #expect(value.hashValue == (try JSON(parsing: text)).hashValue)
  }

  @Test(arguments: [("[", "]"), ("{\"a\":", "}")])
  func refusesOneLevelMore(open: String, close: String) {
    let depth = JSON.depthMax
    #expect(throws: JSONError(.tooDeep, line: 1, column: depth * open.count + 1)) {
      try JSON(parsing: nested(depth + 1, open, close))
    }
    #expect(throws: JSONError.self) { try JSON(parsing: String(repeating: open, count: 100_000)) }
  }

  @Test func depthIsGivenBackWhenAnArrayEnds() throws {
    let list = "[" + Array(repeating: "[[]]", count: 2_000).joined(separator: ",") + "]"
    #expect(try JSON(parsing: list).text() == list)
  }
}
