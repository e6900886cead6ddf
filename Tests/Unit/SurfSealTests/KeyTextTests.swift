import SurfSeal
import TestSupport
import Testing

/// A key in letters, and the messages about wrong ones.
@Suite struct KeyTextTests {
  static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
  static let key = GroupKey(.drive, Octets32(0..<32)!)

  @Test func `the texts of 00 to 1f are as they were`() {
    #expect(
      Self.key.text == "statesurf-drive-1-aaaqeayeaudaocajbifqydiob4ibceqtcqkrmfyydenbwha5dypq-q4ed"
    )
    #expect(
      Self.key.watchKey.text
        == "statesurf-watch-1-c7dcw5xwudofv4goiy6jqylqvspm3md3dyiilgq3u6nzt35mifra-g4rc")
  }

  @Test func `a key comes back out of its text`() throws {
    var random = SeededGenerator(seed: 32)
    for _ in 0..<300 {
      let key = GroupKey.random(&random)
      #expect(key.text.utf8.count == 75)
      #expect(try GroupKey(parsing: Array(key.text.utf8)[...]) == key)
    }
  }

  @Test func `every change of one octet is told`() {
    let text = Array(Self.key.text.utf8)
    for place in text.indices {
      for octet in UInt8.min...UInt8.max where octet != text[place] {
        var wrong = text
        wrong[place] = octet
        let error = Self.error(wrong)
        #expect(error != nil, "\(String(decoding: wrong, as: UTF8.self))")
        if place == 70 { #expect(error == .hyphen) }
        guard place >= 18, place != 70, !Self.alphabet.contains(octet) else { continue }
        #expect(error == .letter(octet, place: place + 1))
      }
    }
  }

  @Test func `any two letters that are swapped are told`() {
    let text = Array(Self.key.text.utf8)
    for first in text.indices {
      for second in text.indices where text[first] != text[second] {
        var wrong = text
        wrong.swapAt(first, second)
        #expect(Self.error(wrong) != nil, "\(String(decoding: wrong, as: UTF8.self))")
      }
    }
  }

  @Test func `any two letters that are wrong are told`() {
    var random = SeededGenerator(seed: 5)
    let text = Array(Self.key.text.utf8)
    let places = Array(18..<70) + Array(71..<75)
    for _ in 0..<20_000 {
      var wrong = text
      for place in places.shuffled(using: &random).prefix(2) {
        wrong[place] = Self.alphabet.filter { $0 != text[place] }.randomElement(using: &random)!
      }
      #expect(Self.error(wrong) == .checksum)
    }
  }

  @Test func `an octet that is missing or too many is told`() {
    let text = Array(Self.key.text.utf8)
    for place in text.indices {
      var short = text
      short.remove(at: place)
      #expect(Self.error(short) != nil)
      for octet in Self.alphabet + [0, 32, 45, 255] {
        var long = text
        long.insert(octet, at: place)
        #expect(Self.error(long) != nil)
      }
    }
    for count in text.indices { #expect(Self.error(Array(text.prefix(count))) != nil) }
    for count in 18..<75 {
      #expect(Self.error(Array(text.prefix(count))) == .length(count - 18))
    }
  }

  static let faults: [(text: String, error: KeyTextError)] = [
    ("", .noKey), ("ssh-ed25519 AAAA", .otherProgram), ("Statesurf-drive-1-", .noKey),
    ("statesurf-drvie-1-", .kind), ("statesurf-", .kind), ("statesurf-drive", .kind),
    ("statesurf-drive-2-", .version), ("statesurf-watch-", .version),
    ("statesurf-watch-1-", .length(0)), ("statesurf-watch-1-abc", .length(3)),
  ]

  @Test(arguments: faults.indices)
  func `what is no key is told by what is wrong first`(index: Int) {
    let (text, error) = Self.faults[index]
    #expect(Self.error(Array(text.utf8)) == error)
  }

  @Test func `a key of the other kind is not this key with another word`() {
    let text = Self.key.text.replacing("drive", with: "watch")
    #expect(Self.error(Array(text.utf8)) == .checksum)
  }

  /// 260 bits are four more than a key has: one text for one key.
  @Test func `bits behind the last are told though the checksum is right`() throws {
    let text = Array(
      "statesurf-drive-1-aaaqeayeaudaocajbifqydiob4ibceqtcqkrmfyydenbwha5dypr-q4gq".utf8)
    #expect(Self.error(text) == .lastLetter)
  }

  @Test func `each error has words and a fix, and none repeats a key`() {
    let errors: [KeyTextError] = [
      .noKey, .otherProgram, .kind, .version, .length(3), .length(80), .letter(65, place: 20),
      .letter(48, place: 20), .letter(49, place: 20), .letter(56, place: 20), .letter(0, place: 1),
      .letter(32, place: 1), .letter(200, place: 1), .hyphen, .lastLetter, .checksum,
    ]
    for error in errors { #expect(!error.description.isEmpty && !error.fix.isEmpty) }
    #expect(KeyTextError.length(3).description.contains("54"))
    #expect(KeyTextError.length(80).description.contains("23"))
    #expect(KeyTextError.letter(48, place: 20).description.hasPrefix("0 at place 20 "))
    #expect(KeyTextError.letter(200, place: 1).description.contains("0xc8"))
  }

  private static func error(_ text: [UInt8]) -> KeyTextError? {
    do throws(KeyTextError) {
      _ = try GroupKey(parsing: text[...])
      return nil
    } catch {
      return error
    }
  }
}
