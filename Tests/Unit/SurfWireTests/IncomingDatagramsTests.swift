import SurfWire
import TestSupport
import Testing

/// Datagrams that the kernel has put one behind the other read as each of them alone would.
@Suite struct IncomingDatagramsTests {
  @Test func `packets of one session come as one train`() {
    let datagrams = [packet(1, size: 40), packet(2, size: 40), packet(3, size: 12)]
    #expect(read(datagrams) == ["packets 1:[1, 2, 3]"])
  }

  @Test func `another session, other flags, and what is no packet end a train`() {
    let datagrams = [
      packet(1), packet(2), packet(7, of: 2), packet(3), packet(4, flags: .repair), goodbye(),
      packet(5),
    ]
    let expected = [
      "packets 1:[1, 2]", "packets 2:[7]", "packets 1:[3]", "packets 1:[4]", "message",
      "packets 1:[5]",
    ]
    #expect(read(datagrams) == expected)
  }

  @Test func `a packet that makes no sense is told, and those around it count`() {
    var broken = packet(2)
    broken.replaceSubrange(16..<24, with: [UInt8](repeating: 0, count: 8))
    let expected = ["packets 1:[1]", "invalid", "packets 1:[3]"]
    #expect(read([packet(1), broken, packet(3)]) == expected)
    // Cut short within its fields.
    #expect(read([packet(1), Array(packet(2).prefix(27))]) == ["packets 1:[1]", "truncated"])
    #expect(read([[]]) == ["truncated"])
  }

  @Test func `whatever is damaged, a run reads like its datagrams one by one`() {
    var noise = SeededGenerator(seed: 9)
    var trainCount = 0
    for round in 0..<5_000 {
      var datagrams = (1...8 as ClosedRange<SequenceNumber>).map { packet($0) }
      for _ in 0..<(round % 4) {
        let index = Int.random(in: 0..<8, using: &noise)
        let place = Int.random(in: 0..<datagrams[index].count, using: &noise)
        datagrams[index][place] = UInt8.random(in: 0...255, using: &noise)
      }
      let together = read(datagrams)
      trainCount += together.count
      let alone = datagrams.flatMap { read([$0]) }
      #expect(split(together) == split(alone))
    }
    // Most are undamaged: else the test would compare nothing but single packets.
    #expect(trainCount < 20_000)
  }

  /// A packet with its number for a body.
  private func packet(
    _ sequence: SequenceNumber, of session: UInt64 = 1, flags: DatagramFlags = [], size: Int = 40
  ) -> [UInt8] {
    let body = [UInt8](repeating: UInt8(sequence), count: size)
    let packet = DataPacket(sequence: sequence, oldestPacket: 1, flags: flags, frames: body)
    return Datagram(session: SessionID(rawValue: session), body: .data(packet)).encoded()
  }

  private func goodbye() -> [UInt8] {
    let goodbye = Goodbye(newestPacket: 9, newestRecord: 9)
    let bytes = Datagram(session: SessionID(rawValue: 1), body: .goodbye(goodbye)).encoded()
    // Octets behind what a version knows are ignored.
    return bytes + [UInt8](repeating: 0, count: 68 - bytes.count)
  }

  /// - Parameter datagrams: of one size but the last.
  private func read(_ datagrams: [[UInt8]]) -> [String] {
    let bytes = Array(datagrams.joined())
    return bytes.withUnsafeBytes { raw in
      var reader = IncomingDatagrams(raw, segmentSize: datagrams[0].count)
      var found: [String] = []
      while let next = reader.next() { found.append(describe(next)) }
      return found
    }
  }

  private func describe(_ result: Result<IncomingDatagram, WireError>) -> String {
    switch result {
    case .success(.packets(let train)):
      for packet in train where packet.sequence < 256 && packet.frames.count > 0 {
        #expect(packet.frames.count <= 40)
      }
      return "packets \(train.session.rawValue):\(train.map(\.sequence))"
    case .success(.message): return "message"
    case .failure(let error): return error.reason
    }
  }

  /// Trains as separate packets.
  private func split(_ found: [String]) -> [String] {
    found.flatMap { text in
      guard let colon = text.firstIndex(of: ":") else { return [text] }
      let head = text[..<colon]
      let numbers = text[colon...].dropFirst(2).dropLast().split(separator: ", ")
      return numbers.map { "\(head):\($0)" }
    }
  }
}
