import SurfWire
import TestSupport
import Testing

@Suite struct TextMemoryTests {
  /// Texts with the same size and last octet share a place, where one must not be mistaken for
  /// another.
  @Test func rememberedTextsAreThoseOfTheBytes() throws {
    var texts = TextMemory()
    let sources = [
      "App/Reducer.swift:11", "App/Request.swift:11", "App/Reducer.swift:11",
      "App/Reducer.swift:21", "App/Rätsel.swift:111", "", "short",
      String(repeating: "long", count: 100),
      "App/Reducer.swift:11",
    ]
    for (index, source) in sources.enumerated() {
      let record = Record(
        sequence: SequenceNumber(index + 1), kind: .action, name: "increment(by: \(index % 2))",
        source: source, state: .keyframe(Content(type: "application/octet-stream", bytes: [1])))
      let decoded = try record.encoded().withUnsafeBytes {
        try Record(decoding: $0, texts: &texts)
      }
      #expect(decoded == record)
    }
  }

  @Test(arguments: [3, 20]) func textThatIsNotUTF8IsStillRefused(_ size: Int) throws {
    var texts = TextMemory()
    let name = String(repeating: "n", count: size)
    var bytes = Record(sequence: 1, kind: .mark, name: name).encoded()
    _ = try bytes.withUnsafeBytes { try Record(decoding: $0, texts: &texts) }
    let start = try #require(bytes.firstIndex(of: UInt8(ascii: "n")))
    for octet in [start, start + size - 1] {
      var broken = bytes
      broken[octet] = 0xff
      #expect(throws: WireError.malformedText(field: "name")) {
        try broken.withUnsafeBytes { try Record(decoding: $0, texts: &texts) }
      }
    }
    bytes[start] = UInt8(ascii: "m")
    let other = try bytes.withUnsafeBytes { try Record(decoding: $0, texts: &texts) }
    #expect(other.name == "m" + name.dropFirst())
  }
}
