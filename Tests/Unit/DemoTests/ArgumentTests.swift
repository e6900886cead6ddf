import DemoSupport
import Testing

@Suite("Options of the demos")
struct ArgumentTests {
  private static let defaults = ["--auto": 1.0]

  @Test(arguments: [
    ([], nil), (["--auto"], 1), (["--auto", "0.5"], 0.5), (["--auto", "--help"], 1),
  ])
  func areRead(words: [String], seconds: Double?) throws {
    #expect(try Arguments(words, defaults: Self.defaults).seconds["--auto"] == seconds)
  }

  @Test(arguments: [
    ["--x"], ["x"], ["--auto", "0"], ["--auto", "nan"], ["--auto", "1e9"], ["--auto", "x"],
    ["--auto", "1", "2"],
  ])
  func areRefused(words: [String]) {
    #expect(throws: Arguments.Misuse.self) { try Arguments(words, defaults: Self.defaults) }
  }

  @Test(arguments: [
    ([], nil), (["--port", "0"], 0), (["--port", "65535"], 65_535),
    (["--port", "1", "--port", "2"], 2),
  ])
  func `whole numbers are read`(words: [String], port: Int?) throws {
    #expect(try Arguments(words, numbers: ["--port": 0...65_535]).numbers["--port"] == port)
  }

  @Test(arguments: [["--port"], ["--port", "x"], ["--port", "-1"], ["--port", "65536"]])
  func `other numbers are refused`(words: [String]) {
    #expect(throws: Arguments.Misuse.self) {
      try Arguments(words, numbers: ["--port": 0...65_535])
    }
  }

  @Test func `a text is whatever follows its option`() throws {
    let words = ["--name", "--help", "--name", "Ada"]
    #expect(try Arguments(words, texts: ["--name"]).texts == ["--name": "Ada"])
    for words in [["--name"], ["--name", ""], ["--other", "x"]] {
      #expect(throws: Arguments.Misuse.self) { try Arguments(words, texts: ["--name"]) }
    }
  }

  @Test func helpIsHelp() throws {
    #expect(try Arguments(["-h"]).isHelpWanted)
    #expect(try !Arguments([]).isHelpWanted)
  }
}
