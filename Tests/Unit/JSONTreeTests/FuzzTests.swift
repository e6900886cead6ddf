import JSONTree
import TestSupport
import Testing

@Suite struct FuzzTests {
  /// What parses must print to something that reads as the same value, in every style.
  private func check(_ bytes: [UInt8]) throws -> Bool {
    let value: JSON
    do throws(JSONError) {
      value = try JSON(parsing: bytes)
    } catch {
      #expect(error.line >= 1 && error.column >= 1)
      return false
    }
    for style in [JSON.Style.compact, .pretty] {
      for sortedKeys in [false, true] {
        #expect(try JSON(parsing: value.bytes(style, sortedKeys: sortedKeys)) == value)
      }
    }
    return true
  }

  @Test func randomBytesNeverTrap() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...40, using: &generator)
      _ = try check((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }
  }

  @Test func randomTokensNeverTrap() throws {
    let tokens = [
      "[", "]", "{", "}", ",", ":", "\"", "\\", "\\u", "d83c", "dfc4", "1", "-", ".", "e", "null",
      "\"a\":", " ", "\n", "é", "[]", "{}",
    ].map { Array($0.utf8) }
    var generator = SeededGenerator(seed: 2)
    var accepted = 0
    for _ in 0..<50_000 {
      let count = Int.random(in: 1...8, using: &generator)
      let bytes = (0..<count).flatMap { _ in
        tokens[Int.random(in: 0..<tokens.count, using: &generator)]
      }
      if try check(bytes) { accepted += 1 }
    }
    #expect(accepted > 100)
  }

  @Test func documentsWithFlippedBitsNeverTrap() throws {
    var generator = SeededGenerator(seed: 3)
    var accepted = 0
    for _ in 0..<5_000 {
      var bytes = generator.json().bytes(.pretty)
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      }
      if try check(bytes) { accepted += 1 }
    }
    #expect((100..<4_900).contains(accepted))
  }

  @Test func everyProperPrefixOfAContainerIsRefused() throws {
    let bytes = Array(#"{"a":[1.5e3,"\ud83c\udfc4é",null],"b":{"c":true}}"#.utf8)
    for count in 0..<bytes.count { #expect(try !check(Array(bytes.prefix(count)))) }
    #expect(try check(bytes))
  }

  @Test func printsWhatItReads() throws {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<3_000 { #expect(try check(generator.json().bytes())) }
  }
}
