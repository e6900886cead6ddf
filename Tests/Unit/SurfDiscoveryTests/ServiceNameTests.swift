import SurfDiscovery
import TestSupport
import Testing

struct ServiceNameTests {
  func name(_ text: String) -> String {
    ServiceAdvertisement(name: text, port: 1, instance: .sample).name
  }

  @Test(arguments: [
    ("Todo", "Todo"),
    (String(repeating: "x", count: 64), String(repeating: "x", count: 63)),
    // 25 bytes each.
    (String(repeating: "👩‍👩‍👧‍👦", count: 3), String(repeating: "👩‍👩‍👧‍👦", count: 2)),
    // Two flags of 8 bytes; a cut between scalars would leave half a flag.
    (String(repeating: "x", count: 60) + "🇩🇪", String(repeating: "x", count: 60)),
    (String(repeating: "x", count: 61) + "e\u{301}", String(repeating: "x", count: 61)),
    ("a\0b\nc\u{7F}", "abc"),
    ("", "instance"),
    ("\n", "instance"),
  ])
  func aNameFitsALabel(_ text: String, _ expected: String) {
    #expect(name(text) == expected)
  }

  @Test func aCharacterThatFitsNoLabelIsCutBetweenScalars() {
    let name = name("e" + String(repeating: "\u{301}", count: 200))
    #expect(name.unicodeScalars.count == 32)
    #expect(name.utf8.count == 63)
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func anyTextGivesAName(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let scalars: [Unicode.Scalar] = ["a", "\u{301}", "\u{200D}", "👩", "🇩", "\0", "ß", "\u{FE0F}"]
    for _ in 0..<200 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...60, using: &random) {
        text.append(scalars.randomElement(using: &random) ?? "a")
      }
      #expect((1...63).contains(name(String(text)).utf8.count))
    }
  }

  @Test func aRenamedNameStillFits() {
    let long = ServiceAdvertisement(
      name: String(repeating: "x", count: 63), port: 1, instance: .sample)
    let rig = Rig()
    rig.library.refusal = { $0 == .register(long, name: long.name) ? .nameConflict : nil }
    rig.pursue([.advertise(long)])
    let renamed = String(repeating: "x", count: 60) + " #2"
    #expect(rig.library.requests == [.register(long, name: renamed)])
  }
}
