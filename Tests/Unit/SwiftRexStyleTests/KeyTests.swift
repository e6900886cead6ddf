import Glibc
import SurfStore
import SwiftRexStyle
import Testing

@Suite struct KeyTests {
  /// A terminal's two ends; what is written into it has been typed.
  private final class Keys: Sendable {
    let reading: Int32
    private let writing: Int32

    init() throws {
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      (reading, writing) = (ends[0], ends[1])
    }

    func type(_ text: String) {
      var bytes = Array(text.utf8)
      type(&bytes)
    }

    func type(_ bytes: inout [UInt8]) { _ = write(writing, &bytes, bytes.count) }

    func end() { close(writing) }
  }

  /// The first `count` chords from a source.
  private func chords(
    _ count: Int, of keys: Keys, after type: () -> Void
  ) async -> [KeyChord] {
    let (chords, continuation) = AsyncStream.makeStream(of: KeyChord.self)
    let token = EventSource.keys(from: keys.reading).sink { continuation.yield($0) }
    type()
    var all: [KeyChord] = []
    for await chord in chords {
      all.append(chord)
      if all.count == count { break }
    }
    token.cancel()
    return all
  }

  @Test(
    arguments: [
      ("q", [.key("q")]), ("Q\n\r", [.key("Q"), .key("\n"), .key("\n")]),
      ("é漢🏄", [.key("é"), .key("漢"), .key("🏄")]),
      ("\u{0B}\u{01}\u{1A}\u{00}\u{1F}", "kaz _".map { .control($0) }),
      ("\t\u{7F}\u{08}", [.key("\t"), .key("\u{7F}"), .key("\u{7F}")]),
      ("\u{1B}x\u{1B}é", [.alt("x"), .alt("é")]),
      // The parser skips arrows and function keys.
      ("\u{1B}[A\u{1B}[1;5Ca\u{1B}OPb", [.key("a"), .key("b")]), ("\u{1B}", [.key("\u{1B}")]),
    ] as [(String, [KeyChord])])
  func `Bytes of a terminal are chords`(text: String, expected: [KeyChord]) async throws {
    let keys = try Keys()
    let typed = await chords(expected.count, of: keys) { keys.type(text) }
    #expect(typed == expected)
    keys.end()
  }

  @Test func `A character that comes in pieces is one chord`() async throws {
    let keys = try Keys()
    let (chords, continuation) = AsyncStream.makeStream(of: KeyChord.self)
    let token = EventSource.keys(from: keys.reading).sink { continuation.yield($0) }
    var iterator = chords.makeAsyncIterator()
    var pieces: [[UInt8]] = [[0x61, 0xE6], [0xBC], [0xA2, 0x62]]
    for index in pieces.indices { keys.type(&pieces[index]) }
    for expected in ["a", "漢", "b"] as [Character] {
      #expect(await iterator.next() == .key(expected))
    }
    token.cancel()
  }

  @Test func `Two chords of one terminal do not take each other's keys`() async throws {
    let keys = try Keys()
    let (names, continuation) = AsyncStream.makeStream(of: String.self)
    let tokens = ["k", "x"].map { (letter: Character) in
      EventSource.keyChord(.control(letter), from: keys.reading).sink {
        continuation.yield("ctrl-\(letter)")
      }
    }
    keys.type("\u{18}a\u{0B}k\u{18}")
    var iterator = names.makeAsyncIterator()
    for expected in ["ctrl-x", "ctrl-k", "ctrl-x"] { #expect(await iterator.next() == expected) }
    tokens[0].cancel()
    keys.type("\u{0B}\u{18}")
    #expect(await iterator.next() == "ctrl-x")
    keys.end()
  }
}
