import SurfReceiving
import SurfWire
import TestSupport
import Testing

/// A few datagrams with the largest possible numbers, sent to a viewer.
@Suite struct EdgeNumberTests {
  private let session = SessionID(rawValue: 5)
  private let viewer = ViewerID(rawValue: 9)
  private let last = SequenceNumber.max.previous

  private func receiver(seeks: Bool = false) -> Receiver {
    Receiver(
      session: session, viewer: viewer, viewerName: "v", repairWindow: 128,
      repair: PeerRepairOptions(seeks: seeks), seed: 1, at: .zero)
  }

  private func heartbeat(_ progress: StreamProgress) -> Heartbeat {
    Heartbeat.sample(progress)
  }

  private func welcome(wanted: SequenceNumber, since: SequenceNumber, packet: SequenceNumber)
    -> Welcome
  {
    Welcome(
      viewer: viewer, cookie: Cookie(rawValue: 1), progress: StreamProgress(), wanted: wanted,
      since: since, sincePacket: packet)
  }

  @Test func `a window update is due behind the last packet`() {
    var receiver = receiver()
    receiver.receive(heartbeat(StreamProgress()), at: .zero)
    receiver.follow(.newestState, at: .zero)
    receiver.receive(welcome(wanted: .max, since: 0, packet: 0), at: .zero)
    for oldest in [last, last.previous] {
      receiver.receive(DataPacket(sequence: last, oldestPacket: oldest, frames: []), at: .zero)
    }
    let reports = receiver.takeRequests().compactMap { datagram -> SequenceNumber? in
      if case .windowUpdate(let update) = datagram.body { update.newestPacket } else { nil }
    }
    #expect(reports == [0, last])
  }

  @Test func `a backlog of nearly all numbers is sought`() {
    var receiver = receiver(seeks: true)
    let progress = StreamProgress(
      newestPacket: last, oldestPacket: 1, newestRecord: last, newestRecordPacket: last)
    receiver.receive(heartbeat(progress), at: .zero)
    receiver.follow(.since(1), at: .zero)
    receiver.receive(welcome(wanted: 1, since: 1, packet: 1), at: .zero)
    let sought = receiver.takeLocalRequests().compactMap { _, datagram -> Seek? in
      if case .seek(let seek) = datagram.body { seek } else { nil }
    }
    #expect(sought.map(\.wanted) == [1...last.previous])
  }

  @Test func `what is lost is counted as far as a number goes`() {
    var receiver = receiver()
    receiver.receive(heartbeat(StreamProgress()), at: .zero)
    receiver.follow(.newestState, at: .zero)
    let progress = StreamProgress(
      newestPacket: last, oldestPacket: .max, newestRecord: last, newestRecordPacket: last)
    receiver.receive(heartbeat(progress), at: .zero)
    #expect(receiver.counters.recordsLost == WireCount(last.rawValue))
  }
}
