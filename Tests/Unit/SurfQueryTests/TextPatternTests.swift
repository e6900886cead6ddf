import SurfQuery
import Testing

@Suite struct TextPatternTests {
  @Test(arguments: [
    ("b", "abc", true), ("^b", "abc", false), ("c$", "abc", true), ("a.c", "abc", true),
    ("a.c", "a\nc", false), ("", "", true), ("a*", "", true), ("a+", "b", false),
    ("^a?b$", "b", true), ("^(ab|cd)+$", "abcdab", true), ("^(ab|cd)+$", "abc", false),
    ("^a{2}$", "aa", true), ("^a{2}$", "aaa", false), ("^a{2,}$", "aaaa", true),
    ("^a{1,2}$", "aaa", false), ("a{x", "a{x", true), ("[a-c]{3}", "xxcab", true),
    ("[^0-9]", "12", false), ("[]a]", "]", true), ("[a-]", "-", true), (#"\d+\.\d"#, "v10.2", true),
    (#"\bcat\b"#, "a cat sat", true), (#"\bcat\b"#, "concat", false), (#"\Bat"#, "cat", true),
    (#"[\d_]+$"#, "a1_2", true), (#"\s"#, "a\tb", true), (#"^\S+$"#, "a b", false),
    ("(?i)MiLk", "Buy mILK", true), ("(?i)[a-f]+$", "FACE", true), ("milk", "Milk", false),
    ("ä.ö", "äüö", true), ("(?:a|)b", "b", true), ("a*?b", "aab", true), ("x|", "y", true),
    ("👩‍👩‍👧", "a 👩‍👩‍👧", true), (#"^[!-\]]$"#, "A", true), (#"^[\t- ]$"#, "\n", true),
    (#"^[\[-\]]$"#, #"\"#, true), (#"^[!-\]]$"#, "a", false), (#"^[\d-z]$"#, "-", true),
    (#"^[\d-z]$"#, "m", false), (#"^[+-\d]$"#, "-", true), (#"^[+-\d]$"#, "7", true),
    ("a{+2}", "aa", false), ("a{+2}", "a{2}", true), ("a{2,-1}", "a{2,-1}", true),
    ("a{,2}", "a{,2}", true), ("a{}", "a{}", true),
  ])
  func `a pattern is found`(pattern: String, text: String, isFound: Bool) throws {
    let finding = try TextPattern(pattern).search(text)
    #expect(finding == (isFound ? .found : .absent))
  }

  @Test(
    arguments: [
      ("(a", .unclosed("(")), ("[a", .unclosed("[")), ("a\\", .unclosed("\\")),
      ("*a", .nothingToRepeat("*")), ("a)", .unexpected(")")), (#"(a)\1"#, .unsupported("\\1")),
      ("(?=a)", .unsupported("(?=")), (#"\p"#, .unsupported("\\p")), ("[z-a]", .unexpected("a")),
      ("a{99999999999999999999}", .tooLarge), ("a{1,99999999999999999999}", .tooLarge),
      (#"[\]-\[]"#, .unexpected("[")), ("a{9,2}", .unexpected("}")), ("a{1001}", .tooLarge),
      ("((a{1000}){1000}){1000}", .tooLarge),
      ("((){1000}){1000}", .tooLarge),
    ] as [(String, PatternFault)])
  func `what is no pattern is told`(pattern: String, fault: PatternFault) {
    #expect(throws: fault) { try TextPattern(pattern) }
  }

  @Test(arguments: ["(", "a*", "a{1}", "a{", "[", "(?:a|"])
  func `no pattern is too deep for the stack`(part: String) {
    let fault = #expect(throws: PatternFault.self) {
      try TextPattern(String(repeating: part, count: 20_000) + "\\")
    }
    #expect(fault != nil)
  }

  /// Where others try every way in turn, these take longer than anybody lives.
  @Test(arguments: ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(.*)(.*)(.*)(.*)(.*)!"])
  func `a pattern that explodes elsewhere does not`(pattern: String) throws {
    let finding = try TextPattern(pattern).search(String(repeating: "a", count: 2_000) + "b")
    #expect(finding == .absent)
  }

  @Test func `a text that is too long or takes too long is told`() throws {
    let long = String(repeating: "a", count: TextPattern.textSizeMax + 1)
    #expect(try TextPattern("b").search(long) == .unknown)
    #expect(try TextPattern("^a").search(long) == .found)
    let slow = try TextPattern("(a?){1000}b").search(String(repeating: "a", count: 60_000))
    #expect(slow == .unknown)
  }
}
