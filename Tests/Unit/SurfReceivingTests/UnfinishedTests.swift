import SurfReceiving
import SurfTransport
import SurfWire
import TestSupport
import Testing

/// Data held because something else is missing: counted, and released again.
@Suite struct UnfinishedTests {
  private let session = SessionID(rawValue: 5)
  private let viewer = ViewerID(rawValue: 7)

  /// Packet 1 never comes, and the second record never ends.
  @Test(arguments: [1, 2] as [SequenceNumber])
  func `it is counted, forgotten when told so, and given up with the app`(first: SequenceNumber) {
    var receiver = self.receiver()
    for number in 0..<100 {
      receive(&receiver, packet: first + number, offset: UInt64(number * 1_000))
    }
    #expect(receiver.unfinishedSize >= 100_000)
    #expect(receiver.forgetUnfinished(at: .seconds(1)) == (first == 1 ? 1 : 100))
    #expect(receiver.unfinishedSize == 0)
    receiver = self.receiver()
    for number in 0..<100 {
      receive(&receiver, packet: first + number, offset: UInt64(number * 1_000))
    }
    #expect(receiver.unfinishedSize >= 100_000)
    for second in 1..<30 { receiver.advance(to: .seconds(second)) }
    #expect(receiver.unfinishedSize == 0)
  }

  @Test func `what was forgotten comes again`() {
    var receiver = self.receiver()
    for packet in (2...50 as ClosedRange<SequenceNumber>) {
      receive(&receiver, packet: packet, record: packet)
    }
    #expect(receiver.forgetUnfinished(at: .zero) == 49)
    for packet in (1...50 as ClosedRange<SequenceNumber>) {
      receive(&receiver, packet: packet, record: packet)
    }
    #expect(
      receiver.takeEvents().compactMap { $0.shown }.count == 50)
    #expect(receiver.unfinishedSize == 0)
  }

  @Test func `what is new counts as come, and nothing counts twice`() {
    var receiver = self.receiver()
    for packet in [1, 2, 2, 5, 5, 1] as [SequenceNumber] {
      receive(&receiver, packet: packet, record: packet)
    }
    #expect(receiver.counters.arrivals == 3)
    receiver.receive(answer, at: .zero)
    #expect(receiver.counters.arrivals == 3)
    var heartbeat = Heartbeat.sample()
    heartbeat.control.insert(.hasValues)
    receiver.receive(heartbeat, at: .zero)
    receiver.followValues(at: .zero)
    // It tells all; nothing is awaited then.
    for _ in 0..<2 { receiver.receive(answer, at: .zero) }
    #expect(receiver.counters.arrivals == 4)
  }

  /// That no value is live.
  private var answer: ValueReply {
    ValueReply(
      viewer: viewer, range: RecordSpan(after: 0, through: 5)!, newestRecord: 5, leftOut: 0,
      rest: 0, frames: [])
  }

  @Test func `half a reset is forgotten after five seconds`() {
    var intake = ResetIntake(acceptsResets: true)
    let part = Reset.Part.bytes(contentType: "x", total: 10, offset: 0, [1, 2, 3])
    _ = intake.receive(
      Reset(
        viewer: viewer, cookie: Cookie(rawValue: 1), request: 1, viewerName: "v",
        target: .elsewhere, part: part),
      position: .initial, at: .zero)
    intake.forgetIdle(at: Timers.resetIdle - .milliseconds(1))
    #expect(intake.size == 3)
    intake.forgetIdle(at: Timers.resetIdle)
    #expect(intake.size == 0)
  }

  private func receiver() -> Receiver {
    var receiver = Receiver(
      session: session, viewer: viewer, viewerName: "v", repairWindow: 128, seed: 1, at: .zero)
    receiver.receive(
      Heartbeat.sample(), at: .zero)
    receiver.follow(.newestState, at: .zero)
    return receiver
  }

  private func receive(_ receiver: inout Receiver, packet: SequenceNumber, offset: UInt64) {
    let piece = Fragment(
      record: 1, total: 1_000_000, offset: WireCount(offset),
      bytes: [UInt8](repeating: 1, count: 1_000))
    receive(&receiver, packet, .fragment(piece))
  }

  private func receive(_ receiver: inout Receiver, packet: SequenceNumber, record: SequenceNumber) {
    receive(&receiver, packet, .record(Record(sequence: record, kind: .mark, name: "m").encoded()))
  }

  private func receive(_ receiver: inout Receiver, _ packet: SequenceNumber, _ frame: Frame) {
    var frames: [UInt8] = []
    frame.append(to: &frames)
    receiver.receive(DataPacket(sequence: packet, oldestPacket: 1, frames: frames), at: .zero)
  }
}
