import SurfSeal
import TestSupport
import Testing

/// A file of keys.
@Suite struct KeyRingTests {
  @Test func `lines, comments, blanks and Windows's line ends are read`() throws {
    var random = SeededGenerator(seed: 1)
    let keys = (0..<3).map { _ in GroupKey.random(&random) }
    let text = """
      # made on Monday

        \(keys[0].text)  # seals
      \t\(keys[1].text)
      #\(keys[2].text)
      \(keys[2].text)
      """
    for ends in [text, text + "\n", text.replacing("\n", with: "\r\n"), "\u{feff}" + text] {
      let ring = try KeyRing(parsing: Array(ends.utf8))
      #expect(ring.keys == keys)
      #expect(ring.sealingKey == keys[0])
    }
  }

  @Test func `a key that stands there twice is tried once`() throws {
    var random = SeededGenerator(seed: 2)
    let key = GroupKey.random(&random)
    let watch = key.watchKey
    let ring = try KeyRing(parsing: Array("\(key.text)\n\(watch.text)\n\(key.text)".utf8))
    #expect(ring.keys.count == Set(ring.keys.map(\.text)).count)
    #expect(KeyRing(key, [key, key]).keys == [key])
    let often = [String](repeating: key.text, count: 100).joined(separator: "\n")
    #expect(try KeyRing(parsing: Array(often.utf8)).keys == [key])
  }

  @Test func `two keys with one id are both tried, in the order of the file`() throws {
    var random = SeededGenerator(seed: 3)
    let first = GroupKey.random(&random)
    var second = GroupKey.random(&random)
    while second.id != first.id || second == first { second = GroupKey.random(&random) }
    var other = GroupKey.random(&random)
    while other.id == first.id { other = GroupKey.random(&random) }
    let ring = KeyRing(other, [first, second])
    #expect(Array(ring.keys(with: first.id)) == [first, second])
    #expect(Array(ring.keys(with: other.id)) == [other])
    let unknown = (1...255).first { id in !ring.keys.contains { $0.id.rawValue == id } }
    let id = try #require(unknown.flatMap { KeyID(rawValue: $0) })
    #expect(Array(ring.keys(with: id)) == [])
  }

  @Test func `the line that is wrong is named, and no key of it`() throws {
    var random = SeededGenerator(seed: 4)
    let good = GroupKey.random(&random).text
    let bad = good.dropLast() + (good.hasSuffix("a") ? "b" : "a")
    let error = #expect(throws: KeyRingError.line(3, .checksum)) {
      try KeyRing(parsing: Array("# keys\n\(good)\n\(bad)\n".utf8))
    }
    #expect(error?.description == "line 3: \(KeyTextError.checksum)")
    #expect(error?.fix == KeyTextError.checksum.fix)
    #expect(throws: KeyRingError.line(1, .noKey)) { try KeyRing(parsing: [0xff, 0xfe, 0x73, 0]) }
  }

  @Test func `nothing is no ring`() {
    for text in ["", "\n\r\n", "# a comment", "  \t "] {
      #expect(throws: KeyRingError.empty) { try KeyRing(parsing: Array(text.utf8)) }
    }
  }

  @Test func `a ring has bounds`() throws {
    var random = SeededGenerator(seed: 5)
    let keys = (0..<65).map { _ in GroupKey.random(&random).text }
    let full = Array(keys.prefix(64).joined(separator: "\n").utf8)
    #expect(try KeyRing(parsing: full).keys.count == 64)
    #expect(throws: KeyRingError.tooManyKeys(line: 65)) {
      try KeyRing(parsing: Array(keys.joined(separator: "\n").utf8))
    }
    let comment = [UInt8](repeating: 0x23, count: 65_536 - full.count - 1)
    #expect(try KeyRing(parsing: full + [10] + comment).keys.count == 64)
    #expect(throws: KeyRingError.tooLarge(octets: 65_537)) {
      try KeyRing(parsing: full + [10] + comment + [0x23])
    }
    for error in [KeyRingError.empty, .tooLarge(octets: 65_537), .tooManyKeys(line: 65)] {
      #expect(!error.description.isEmpty && !error.fix.isEmpty)
    }
  }

  @Test func `any octets are a ring or an error`() throws {
    var random = SeededGenerator(seed: 6)
    let good = Array("# ring\r\n\(GroupKey.random(&random).text)\n".utf8)
    for _ in 0..<3_000 {
      var text = good
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0...text.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: text.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case 1: text.removeSubrange(place...)
        case 2: text.insert(contentsOf: good.suffix(40), at: place)
        default: text = text.map { Int.random(in: 0..<60, using: &random) == 0 ? $0 ^ 1 : $0 }
        }
      }
      do throws(KeyRingError) {
        let ring = try KeyRing(parsing: text)
        let again = try KeyRing(parsing: Array(ring.keys.map(\.text).joined(separator: "\n").utf8))
        #expect(again.keys == ring.keys)
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }
}
