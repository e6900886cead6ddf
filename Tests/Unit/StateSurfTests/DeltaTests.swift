import StateSurf
import SurfLive
import SurfWire
import Testing

/// Which states a transceiver sends whole, and that the others can be made.
@Suite struct DeltaTests {
  private static func state(_ number: Int, size: Int = 4_000) -> [UInt8] {
    var bytes = [UInt8](repeating: 0x61, count: size)
    bytes[number % size] = UInt8(truncatingIfNeeded: number)
    return bytes
  }

  private static func records(
    of states: [[UInt8]], action: String = "edit", sendsDeltas: Bool = true
  ) -> [Record] {
    var writer = RecordWriter(sendsDeltas: sendsDeltas)
    var queue = RecordQueue()
    return states.flatMap { state -> [Record] in
      _ = queue.add(Entry(action: action, state: state), at: Moment())
      guard case .record(let tickets, let entry)? = queue.take() else { return [] }
      return writer.records(for: entry, of: tickets)
    }
  }

  private static func isWhole(_ record: Record) -> Bool {
    if case .keyframe = record.state { true } else { false }
  }

  @Test func `a state that hardly changes goes as a delta, from which it is made`() throws {
    let states = (1...60).map { Self.state($0) }
    let records = Self.records(of: states)
    #expect(records.map(Self.isWhole) == [true] + Array(repeating: false, count: 59))
    #expect(records.dropFirst().allSatisfy { $0.state.size < 60 })
    var state = states[0]
    for (record, expected) in zip(records, states).dropFirst() {
      guard case .delta(let content) = record.state else { continue }
      #expect(record.state.base == record.sequence.previous)
      try Delta(decoding: content.bytes, sizeMax: 10_000).apply(inPlace: &state)
      let isExact = state == expected
      #expect(isExact)
    }
  }

  /// One after the other, each in packets of its own. The names stand for all that is no state.
  @Test(arguments: [(4_000, 4, 300), (4_000, 3_000, 300), (40_000, 4, 300), (150_000, 4, 400)])
  func `a newcomer's first state takes 65 packets more than a whole one, or as many again`(
    size: Int, nameSize: Int, count: Int
  ) {
    let records = Self.records(
      of: (1...count).map { Self.state($0, size: size) },
      action: String(repeating: "x", count: nameSize))
    let whole = Self.packetCount(of: size + nameSize)
    var packets = 0
    var worst = 0
    for record in records {
      if Self.isWhole(record) { packets = 0 }
      packets += Self.packetCount(of: record.state.size + nameSize)
      worst = max(worst, packets)
    }
    #expect(worst <= whole + max(whole, 64) + Self.packetCount(of: nameSize + 60))
    // Otherwise whole states would be most of the stream.
    #expect(worst > whole + min(30, whole))
  }

  private static func packetCount(of recordSize: Int) -> Int { recordSize / 1_400 + 1 }

  @Test(arguments: [4_000, 100_000])
  func `deltas together are no longer than a state or two, or what leaves at once`(
    size: Int
  ) {
    let quarter = size / 4
    let states = (1...120).map { number in
      var state = Self.state(number, size: size)
      var random = UInt64(number)
      for index in 0..<quarter {
        random = random &* 6_364_136_223_846_793_005 &+ 1
        state[(number % 4) * quarter + index] = UInt8(truncatingIfNeeded: random >> 33)
      }
      return state
    }
    let records = Self.records(of: states)
    var since = 0
    for record in records {
      if Self.isWhole(record), record.sequence > 1 { #expect(since >= max(size, 64_000)) }
      since = Self.isWhole(record) ? 0 : since + record.state.size
      #expect(since < max(size, 95_000) + size / 2)
    }
    let wholeCount = records.filter(Self.isWhole).count
    #expect(wholeCount > 1)
  }

  @Test(arguments: [100, 511]) func `a small state always goes whole`(size: Int) {
    let records = Self.records(of: (1...5).map { Self.state($0, size: size) })
    #expect(records.count == 5)
    #expect(records.allSatisfy(Self.isWhole))
  }

  @Test func `whoever wants none gets none`() {
    let records = Self.records(of: (1...5).map { Self.state($0) }, sendsDeltas: false)
    #expect(records.count == 5)
    #expect(records.allSatisfy(Self.isWhole))
  }
}
