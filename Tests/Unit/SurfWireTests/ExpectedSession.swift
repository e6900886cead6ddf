import SurfWire
import TestSupport

private func progress(_ packet: SequenceNumber, record: SequenceNumber) -> StreamProgress {
  StreamProgress(
    newestPacket: packet, oldestPacket: 1, newestRecord: record, newestRecordPacket: record,
    newestStatePacket: record, newestStatePacketCount: 1)
}

private func heartbeat(
  _ packet: SequenceNumber, record: SequenceNumber, uptime: UInt64, at position: SequenceNumber,
  moves: WireCount = 0
) -> Datagram {
  var heartbeat = Sample.heartbeat
  heartbeat.progress = progress(packet, record: record)
  heartbeat.uptime = uptime
  heartbeat.position = .record(position)
  heartbeat.givenUp = Heartbeat.GivenUp()
  heartbeat.stamp = PositionStamp(newestRecord: record, moveCount: moves)
  return Sample.datagram(.heartbeat(heartbeat))
}

private func record(_ sequence: SequenceNumber) -> [Frame] {
  // The sixth follows the fifth directly, before any heartbeat.
  let uptime = sequence == 6 ? 5_002_000_000 : sequence.rawValue * 1_000_000_000
  let record = Record(
    sequence: sequence, kind: .action, wallTime: Sample.wallTime + Int64(uptime), uptime: uptime,
    name: "increment", state: .keyframe(Sample.json("{\"n\":\(sequence)}")))
  return [.record(record.encoded())]
}

/// Tests/Vectors/session.txt.
let expectedSession: [String: Datagram] = [
  "session-01": Datagram(session: .none, body: .probe(Probe(viewer: Sample.viewer))),
  "session-02": heartbeat(3, record: 3, uptime: 3_400_000_000, at: 3),
  "session-03": Sample.hello(since: 1),
  "session-04": Sample.welcome(progress(3, record: 3), wanted: 1, since: 1, packet: 1),
  "session-05": Sample.nak([(3, 1), (1, 2)], isHistory: true),
  "session-06": Sample.data(3, oldest: 1, [.repair, .history], record(3)),
  "session-07": Sample.data(1, oldest: 1, [.repair, .history], record(1)),
  "session-08": Sample.data(2, oldest: 1, [.repair, .history], record(2)),
  "session-09": Sample.data(4, oldest: 1, [], record(4)),
  "session-10": Sample.data(6, oldest: 1, [], record(6)),
  "session-11": Sample.nak([(5, 1)]),
  "session-12": Sample.data(5, oldest: 1, .repair, record(5)),
  "session-13": heartbeat(6, record: 6, uptime: 5_008_000_000, at: 6),
  "session-14": Sample.reset(.record(2), Sample.bytes(7, 0, "{\"n\":2}")),
  "session-15": Sample.resetProgress(7),
  "session-16": Sample.data(
    7, oldest: 1, [], [Sample.restored(.record(2), newest: 6, moves: 1, .applied)]),
  "session-17": Sample.outcome(.record(2), .applied),
  "session-18": heartbeat(7, record: 6, uptime: 8_002_000_000, at: 2, moves: 1),
  "session-19": Sample.datagram(.goodbye(Goodbye(newestPacket: 7, newestRecord: 6))),
]
