import JSONTools
import JSONTree
import TestSupport
import Testing

@Suite struct LiteralFuzzTests {
  /// Whether `text` was read; then it prints to JSON that both parsers read as the same value.
  private func check(_ text: String) throws -> Bool {
    let value: JSON
    do throws(JavaScriptLiteralError) {
      value = try JavaScriptLiteral.parse(text)
    } catch {
      #expect(error.line >= 1 && error.column >= 1 && !error.description.isEmpty)
      return false
    }
    let printed = value.text()
    #expect(try JSON(parsing: printed) == value)
    #expect(try JavaScriptLiteral.parse(printed) == value)
    return true
  }

  @Test func randomTokensNeverTrap() throws {
    let tokens = [
      "[", "]", "{", "}", "(", ")", ",", ":", "'", "\"", "`", "\\", "\\u", "\\u{", "\\x", "d83c",
      "dfc4", "1", "0", "0x", "0b", "_", "-", "+", ".", "...", "e", "n", "null", "NaN", "new ",
      "a:", "'a':", "['a']:", " ", "\n", "\r", "é", "\u{301}", "/*", "*/", "//", "/", "${", "=>",
      "get ", "[]", "{}", "\u{2028}", "\0", ";",
    ]
    var generator = SeededGenerator(seed: 1)
    var accepted = 0
    for _ in 0..<40_000 {
      let count = Int.random(in: 0...6, using: &generator)
      let text = (0..<count).map { _ in
        tokens[Int.random(in: 0..<tokens.count, using: &generator)]
      }.joined()
      if try check(text) { accepted += 1 }
    }
    #expect(accepted > 500)
  }

  @Test func everyPartOfALiteralIsReadOrRefused() throws {
    let text = #"({type:'a\u{1F3C4}\x41',["b"]:[1_0,.5,0xff,-1e3,/*c*/`d`,],e:{f:null}});"#
    #expect(try check(text))
    let scalars = Array(text.unicodeScalars)
    for start in scalars.indices {
      for end in start..<scalars.count {
        var part = String.UnicodeScalarView()
        part.append(contentsOf: scalars[start...end])
        _ = try check(String(part))
      }
    }
  }

  @Test func anyStrictJSONReadsAsItself() throws {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<500 {
      let json = randomJSON(depth: 4, using: &generator)
      #expect(try JavaScriptLiteral.parse(json.text(.pretty)) == json)
    }
  }

  @Test func randomMarksNeverTrapAndLeaveNoKnownMark() throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<1000 {
      let json = randomJSON(depth: 5, using: &generator)
      let plain = JSAN.plain(json)
      let text = plain.text()
      #expect(try JSON(parsing: text) == plain)
      #expect(!text.contains(#"{"$jsan":"$"#) && !text.contains(#"{"$jsan":"u"}"#))
    }
  }

  private func randomJSON(depth: Int, using generator: inout SeededGenerator) -> JSON {
    let marks = [
      "u", "n", "d12", "r,a", "$", "$.a", "$[0]", "$.a[1].b", "$.b.a", "", "m[[\"a\",1]]",
    ]
    let inner = "l[{\"$jsan\":\"$\"},{\"$jsan\":\"$[0]\"},{\"$jsan\":\"u\"}]"
    switch Int.random(in: 0...(depth > 0 ? 7 : 4), using: &generator) {
    case 0: return .null
    case 1: return .number(Int.random(in: -9...9, using: &generator))
    case 2: return .string((marks + ["\"\\\n\u{7f}é"]).randomElement(using: &generator) ?? "")
    case 3, 4:
      return ["$jsan": .string((marks + [inner]).randomElement(using: &generator) ?? "")]
    case 5:
      return .array((0..<3).map { _ in randomJSON(depth: depth - 1, using: &generator) })
    default:
      return .object(
        JSONObject(
          ["a", "b", "c d"].map {
            JSONObject.Member(key: $0, value: randomJSON(depth: depth - 1, using: &generator))
          }))
    }
  }
}
