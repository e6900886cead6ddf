import SurfWire
import TestSupport
import Testing

@Suite struct GrownFromTests {
  @Test func `where an action grew from comes back, whatever the numbers`() throws {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<2_000 {
      let record = Self.record(using: &random)
      #expect(try Record(decoding: record.encoded()) == record)
    }
  }

  @Test func `where an action grew from comes back out of pieces`() throws {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<500 {
      let record = Self.record(using: &random)
      let bytes =
        record.encoded() + (Bool.random(using: &random) ? [] : Array(repeating: 1, count: 30))
      var partial = PartialRecord(record: record.sequence, total: WireCount(bytes.count))
      var rest = bytes[...]
      while !rest.isEmpty {
        let piece = Array(rest.prefix(Int.random(in: 1...90, using: &random)))
        rest = rest.dropFirst(piece.count)
        piece.withUnsafeBytes { partial.append($0) }
      }
      let whole = try partial.finish()
      #expect(try whole == Record(decoding: bytes))
      if record.grownFrom?.move.isZero == false || bytes.count == record.encoded().count {
        #expect(whole == record)
      }
    }
  }

  @Test(arguments: [Record.Kind.update, .log(.info), .mark, .revision, .other(9)])
  func `what is no action does not say where it grew from`(kind: Record.Kind) throws {
    let grown = Record(
      sequence: 5, kind: kind, name: "x", grownFrom: GrownFrom(from: .record(2), move: 1),
      count: 3)
    let plain = Record(sequence: 5, kind: kind, name: "x")
    #expect(grown.encoded() == plain.encoded())
    #expect(try Record(decoding: plain.encoded() + [3, 1, 3]) == plain)
  }

  private static func record(using random: inout SeededGenerator) -> Record {
    let sequence = SequenceNumber(
      UInt64.random(in: 1..<(1 << 62), using: &random) >> UInt64.random(in: 0..<61, using: &random)
        | 1)
    let origins: [Position] = [
      .initial, .elsewhere,
      .record(SequenceNumber(UInt64.random(in: 1...sequence.rawValue, using: &random)).previous),
    ]
    let origin = Position(wire: origins.randomElement(using: &random)!.wire)
    let move = WireCount(
      UInt64.random(in: 0...UInt64.max, using: &random) >> UInt64.random(in: 0...63, using: &random)
    )
    let counts: [WireCount] = [1, 1, 2, 127, 128, .max, max(1, move)]
    let count = counts.randomElement(using: &random)!
    let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
      UInt8.random(in: 0...255, using: &random)
    }
    return Record(
      sequence: sequence, kind: .action, name: "grow",
      state: .keyframe(Content(type: "application/json", bytes: bytes)),
      grownFrom: Bool.random(using: &random) ? nil : GrownFrom(from: origin, move: move),
      count: count)
  }
}
