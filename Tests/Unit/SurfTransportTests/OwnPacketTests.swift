import SurfTransport
import SurfWire
import TestSupport
import Testing

/// The packets that a viewer in the app's own process reads, without a datagram.
@Suite struct OwnPacketTests {
  private func sender(historySizeMax: Int = 64 << 20) -> Sender {
    var configuration = Sender.Configuration()
    configuration.historySizeMax = historySizeMax
    return Sender(
      session: SessionID(rawValue: 5), announcement: .sample(), configuration: configuration,
      seed: 1)
  }

  private func record(_ sequence: SequenceNumber, size: Int) -> Record {
    let byte = UInt8(truncatingIfNeeded: sequence.rawValue)
    let state = Content(
      type: "application/json", bytes: Array(repeating: byte, count: size))
    return Record(sequence: sequence, kind: .action, name: "n", state: .keyframe(state))
  }

  /// Reads all that is there, in pieces of some size.
  private func readAll(
    _ sender: inout Sender, from start: SequenceNumber? = nil, sizeMax: Int = 10_000
  ) -> (items: [OwnRecords.Item], next: SequenceNumber?, oldest: SequenceNumber?) {
    var (items, next, oldest) = ([OwnRecords.Item](), start, SequenceNumber?.none)
    var records = OwnRecords()
    while true {
      let read = sender.ownPackets(from: next, sizeMax: sizeMax, at: .zero)
      items += read.packets.flatMap { records.items(in: $0[...]) }
      (next, oldest) = (read.next, oldest ?? read.oldestRecord)
      guard read.hasMore else { return (items, next, oldest) }
    }
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `all that was recorded is read once, sent or not`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (sender, now) = (sender(), Duration.zero)
    var (sent, read, place) = ([OwnRecords.Item](), [OwnRecords.Item](), SequenceNumber?.none)
    var sequence: SequenceNumber = 0
    for _ in 0..<40 {
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        sequence = sequence.next
        let record = record(sequence, size: .random(in: 0...5_000, using: &random))
        sender.send([record], at: now)
        sent.append(.record(record))
      }
      now += .milliseconds(1)
      if Bool.random(using: &random) {
        while sender.nextTransmission(at: now) != nil {}
      }
      if Bool.random(using: &random) {
        let more = readAll(&sender, from: place, sizeMax: .random(in: 1...9_000, using: &random))
        read += more.items
        place = more.next
      }
    }
    read += readAll(&sender, from: place).items
    #expect(read == sent)
  }

  @Test func `of a history that is cut, the rest is read, and where it begins`() {
    var (sender, now) = (sender(historySizeMax: 100_000), Duration.zero)
    for sequence in 1...200 as ClosedRange<SequenceNumber> {
      sender.send([record(sequence, size: 2_000)], at: now)
      now += .milliseconds(10)
      while sender.nextTransmission(at: now) != nil {}
    }
    let read = readAll(&sender)
    let numbers = read.items.compactMap { item -> SequenceNumber? in
      if case .record(let record) = item { record.sequence } else { nil }
    }
    let oldest = read.oldest ?? 0
    #expect(oldest > 100)
    let wanted = Array(oldest.rawValue...200)
    #expect(numbers.filter { $0 >= oldest }.map(\.rawValue) == wanted)
  }

  @Test func `a note of a move is read in its place`() {
    var sender = sender()
    sender.send([record(1, size: 10)], at: .zero)
    let restored = Restored(
      request: 3, viewer: ViewerID(rawValue: 4), viewerName: "ada", position: .initial,
      newestRecord: 1, moveCount: 1, outcome: .applied)
    sender.send(restored, at: .zero)
    let wanted: [OwnRecords.Item] = [.record(record(1, size: 10)), .restored(restored)]
    #expect(readAll(&sender).items == wanted)
  }
}
