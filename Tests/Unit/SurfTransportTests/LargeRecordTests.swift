import SurfTransport
import SurfWire
import TestSupport
import Testing

/// Large states are sent from the app's own memory, and no receiver notices.
@Suite struct LargeRecordTests {
  private static let viewer = ViewerID(rawValue: 2)
  private static let endpoint = Endpoint(rawValue: 1)

  /// Octets of a state in a packet that holds nothing else.
  private static let pieceSize = 1_472 - DataPacket.overhead - 20
  /// Packets that leave with one call.
  private static let runCount = 43

  private static func sender(historySizeMax: Int = 64 << 20, isSealed: Bool = false) -> Sender {
    var configuration = Sender.Configuration()
    configuration.historySizeMax = historySizeMax
    configuration.isSealed = isSealed
    return Sender(
      session: SessionID(rawValue: 5), announcement: .sample(), configuration: configuration,
      seed: 1)
  }

  private static func record(_ sequence: SequenceNumber, _ bytes: [UInt8], name: String = "n")
    -> Record
  {
    Record(
      sequence: sequence, kind: .action, name: name,
      state: .keyframe(Content(type: "application/json", bytes: bytes)))
  }

  private static func octets(_ count: Int, using random: inout SeededGenerator) -> [UInt8] {
    var word = random.next()
    return (0..<count).map { _ in
      word = word &* 6_364_136_223_846_793_005 &+ 1
      return UInt8(truncatingIfNeeded: word >> 56)
    }
  }

  /// A size near an edge where something changes, or any other.
  private static func size(using random: inout SeededGenerator) -> Int {
    let edge = [0, 1, 2, 3, runCount, runCount + 1, 2 * runCount].randomElement(using: &random)!
    let near = max(0, edge * pieceSize + .random(in: -90...90, using: &random))
    return Bool.random(using: &random) ? near : .random(in: 0...250_000, using: &random)
  }

  fileprivate static func cookie(of sender: inout Sender, at now: Duration) -> Cookie? {
    let hello = Hello(viewer: viewer, viewerName: "v", since: .max)
    guard case .welcome(let welcome) = sender.welcome(hello, from: endpoint, at: now).body
    else { return nil }
    return welcome.cookie
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `what leaves, is repaired, and is held, is what was recorded`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let historySizeMax = [20_000, 300_000, 64 << 20].randomElement(using: &random)!
    var sender = Self.sender(
      historySizeMax: historySizeMax, isSealed: Bool.random(using: &random))
    var (records, wire, now) = ([Record](), Wire(), Duration.zero)
    for _ in 0..<25 {
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        // A long name, so that the state begins in a packet behind the first.
        let name = String(repeating: "n", count: .random(in: 0..<4, using: &random) * 900)
        let bytes = Self.octets(Self.size(using: &random), using: &random)
        records.append(Self.record(SequenceNumber(UInt64(records.count + 1)), bytes, name: name))
        sender.send([records.last!], at: now)
      }
      now += .milliseconds(.random(in: 0...3, using: &random))
      if Bool.random(using: &random) { wire.drain(&sender, at: now) }
      if let record = records.randomElement(using: &random) {
        let state = sender.state(of: record.sequence)
        let isRight = state == nil || state?.bytes == record.state.content?.bytes
        #expect(isRight, "record \(record.sequence)")
      }
      if Bool.random(using: &random) { wire.askAgain(&sender, at: now, using: &random) }
    }
    while sender.unsentSize > 0 {
      now += .milliseconds(1)
      wire.drain(&sender, at: now)
    }

    // Compared by themselves: a difference of megabytes takes minutes to describe.
    let hasAll = wire.records == records
    #expect(hasAll)
    #expect(sender.progress.newestPacket.rawValue == UInt64(wire.packets.count))
    let held = wire.packets[Int(sender.progress.oldestPacket.rawValue - 1)...]
    #expect(sender.size == held.reduce(0) { $0 + $1.count })
    var own = OwnRecords()
    var kept: [Record] = []
    var place: SequenceNumber?
    while true {
      let read = sender.ownPackets(from: place, sizeMax: 100_000, at: now)
      kept += read.packets.flatMap { own.items(in: $0[...]) }.compactMap(\.asRecord)
      place = read.next
      guard read.hasMore else { break }
    }
    #expect(kept.map(\.sequence) == records.suffix(kept.count).map(\.sequence))
    let isKept = kept == records.suffix(kept.count)
    #expect(isKept)
    for record in kept + records.suffix(1) {
      let isHeld = sender.state(of: record.sequence)?.bytes == record.state.content?.bytes
      #expect(isHeld, "record \(record.sequence)")
    }
    // Of a small history, the beginning of the newest record may be gone.
    #expect(historySizeMax == 20_000 || records.isEmpty || !kept.isEmpty)
  }

  @Test func `a large state is not copied, and the packets around it are`() throws {
    var random = SeededGenerator(seed: 1)
    let bytes = Self.octets(1 << 20, using: &random)
    var sender = Self.sender()
    _ = sender.nextTransmission(at: .zero)
    sender.send([Self.record(1, bytes)], at: .zero)
    var (own, all, now) = (0, 0, Duration.zero)
    while sender.unsentSize > 0 {
      now += .milliseconds(1)
      while case .run(let run)? = sender.nextTransmission(at: now)?.payload {
        all += run.count
        let isShared = run.bytes.withUnsafeBytes { octets in
          bytes.withUnsafeBytes { $0.baseAddress == octets.baseAddress }
        }
        if isShared { own += run.count }
      }
    }
    let count = (1 << 20) / Self.pieceSize + 1
    #expect(all == count)
    #expect(own == (count / Self.runCount - 1) * Self.runCount, "all but the first and the last")
  }

  @Test func `a state of which a part has not left is not there yet`() throws {
    var random = SeededGenerator(seed: 3)
    // It ends with a block, and nothing of it is copied into one behind that.
    func mark(_ bytes: [UInt8]) -> Record {
      let content = Content(type: "application/json", bytes: bytes)
      return Record(sequence: 1, kind: .mark, name: "n", state: .keyframe(content))
    }
    let size = 3 * Self.runCount * Self.pieceSize
    let bytes = Self.octets(size, using: &random)
    let record = mark(bytes.dropLast(mark(bytes).encoded().count - size))
    var (sender, now, sentCount) = (Self.sender(), Duration.zero, 0)
    _ = sender.nextTransmission(at: now)
    sender.send([record], at: now)
    let cookie = try #require(Self.cookie(of: &sender, at: now))
    while sender.unsentSize > 0 {
      let isThere = sender.state(of: 1) != nil
      #expect(!isThere, "after \(sentCount) packets")
      // So little room that blocks leave in parts.
      let update = WindowUpdate(
        viewer: Self.viewer, cookie: cookie, newestPacket: SequenceNumber(UInt64(sentCount)),
        window: 20)
      sender.receive(update, from: Self.endpoint, at: now)
      now += .milliseconds(1)
      if case .run(let run)? = sender.nextTransmission(at: now)?.payload { sentCount += run.count }
    }
    #expect(sentCount == 3 * Self.runCount)
    let isWhole = sender.state(of: 1) == record.state.content
    #expect(isWhole)
  }

  @Test func `what is left of a run is the rest of its datagrams`() throws {
    var random = SeededGenerator(seed: 2)
    var sender = Self.sender()
    _ = sender.nextTransmission(at: .zero)
    sender.send(
      [Self.record(1, Self.octets(200_000, using: &random))], at: .zero)
    var (runs, now) = ([PacketRun](), Duration.zero)
    while sender.unsentSize > 0 {
      now += .milliseconds(1)
      if case .run(let run)? = sender.nextTransmission(at: now)?.payload { runs.append(run) }
    }
    #expect(runs.contains { $0.heads != nil })
    #expect(runs.contains { $0.heads == nil })
    for run in runs {
      for count in 0...run.count {
        var rest = run
        rest.dropFirst(count)
        let isRest = rest.datagrams == Array(run.datagrams.dropFirst(count))
        #expect(isRest)
        #expect(rest.count == run.count - count)
        #expect(rest.size == rest.datagrams.reduce(0) { $0 + $1.count })
      }
    }
  }

  /// The packets and records of a viewer that loses nothing.
  private struct Wire {
    /// By sequence, beginning with 1.
    private(set) var packets: [[UInt8]] = []
    private(set) var records: [Record] = []
    private var own = OwnRecords()

    mutating func drain(_ sender: inout Sender, at now: Duration) {
      while let next = sender.nextTransmission(at: now) {
        guard case .run(let run) = next.payload else { continue }
        let datagrams = run.datagrams
        #expect(run.count <= 44 && run.size <= 64_000)
        #expect(datagrams.dropLast().allSatisfy { $0.count == run.segmentSize })
        #expect(datagrams.last!.count <= run.segmentSize)
        for datagram in datagrams { take(datagram) }
      }
    }

    private mutating func take(_ datagram: [UInt8]) {
      guard case .data(let packet)? = try? Datagram(decoding: datagram).body else {
        Issue.record("not a packet")
        return
      }
      guard packet.flags.isEmpty else { return expect(datagram, again: packet) }
      #expect(packet.sequence.rawValue == UInt64(packets.count + 1))
      packets.append(datagram)
      records += own.items(in: datagram[...]).compactMap(\.asRecord)
    }

    /// Only the flags differ, which are its octets 6 and 7.
    private func expect(_ datagram: [UInt8], again packet: DataPacket) {
      let first = packets[Int(packet.sequence.rawValue - 1)]
      let isSame = datagram[..<6] == first[..<6] && datagram[8...] == first[8...]
      #expect(isSame, "packet \(packet.sequence)")
    }

    func askAgain(
      _ sender: inout Sender, at now: Duration, using random: inout SeededGenerator
    ) {
      guard !packets.isEmpty else { return }
      let first = UInt64.random(in: 1...UInt64(packets.count), using: &random)
      let range = PacketRange(
        first: SequenceNumber(first), count: WireCount(Int.random(in: 1...9, using: &random)))
      guard let cookie = cookie(of: &sender, at: now) else { return }
      let nak = NAK(
        viewer: viewer, cookie: cookie, isHistory: Bool.random(using: &random),
        ranges: [range].compactMap(\.self))
      sender.receive(nak, from: endpoint, at: now)
    }
  }
}

extension OwnRecords.Item {
  fileprivate var asRecord: Record? {
    if case .record(let record) = self { record } else { nil }
  }
}
