import JSONTree
import SurfQuery
import TestSupport
import Testing

@Suite struct BigDecimalTests {
  private func number(_ literal: String) throws -> BigDecimal {
    BigDecimal(try #require(JSONNumber(literal: literal)))
  }

  @Test(arguments: [
    ("0", "-0.0"), ("1", "1.0"), ("10", "1e1"), ("0.001", "1E-3"), ("-120", "-1.2e+2"),
    ("9007199254740993", "9007199254740993.000"),
  ])
  func `a number is the same however it is written`(first: String, second: String) throws {
    #expect(try number(first) == number(second))
  }

  @Test(arguments: [
    ("-1", "0"), ("0", "0.0000001"), ("9", "10"), ("-10", "-9"), ("1.5", "1.51"),
    ("9007199254740992", "9007199254740993"), ("1e400", "1e401"), ("-1e999999999999999999999", "1"),
    ("1e-99999999999999999999", "1e-5"),
  ])
  func `numbers of any length are compared`(smaller: String, larger: String) throws {
    let (first, second) = (try number(smaller), try number(larger))
    #expect(first < second && !(second < first) && first != second)
  }

  @Test(arguments: 0..<20) func `sums are those of integers`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let first = Int.random(in: -1_000_000...1_000_000, using: &random)
      let second = Int.random(in: -2_000...2_000, using: &random)
      let sum = BigDecimal(first).shifted(by: -3).adding(BigDecimal(second).shifted(by: -3))
      let wanted = BigDecimal(first + second).shifted(by: -3)
      #expect(sum == wanted)
    }
  }

  @Test func `a sum of too many digits is not made`() throws {
    #expect(try number("1e20000").adding(number("1")) == nil)
    #expect(try number("1e20000").adding(number("0")) == number("1e20000"))
  }

  @Test(arguments: [
    ("0", "0"), ("-1200", "-1200"), ("1.25", "1.25"), ("0.005", "0.005"), ("1e40", "0.1e41"),
    ("1e-40", "0.1e-39"), ("0.1e1", "1"),
  ])
  func `its text is a number of JSON`(literal: String, text: String) throws {
    let description = try number(literal).description
    #expect(description == text)
    #expect(try number(description) == number(literal))
  }
}
