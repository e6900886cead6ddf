import SurfNetwork
import SurfObserver
import SurfReceiving
import SurfTransport
import SurfWire
import TestSupport
import Testing

@Suite struct EdgeNumberTests {
  private func heartbeat(_ progress: StreamProgress) -> Datagram.Body {
    .heartbeat(
      Heartbeat.sample(progress))
  }

  @Test func `losses of several sessions add up as far as a number goes`() {
    var machine = ObserverMachine(
      viewerName: "v", repairWindow: 128, heldSizeMax: 0, viewers: Endpoint(rawValue: 1),
      random: SeededGenerator(seed: 1))
    let last = SequenceNumber.max.previous
    let first = StreamProgress(
      newestPacket: 1, oldestPacket: 1, newestRecord: 1, newestRecordPacket: 1)
    let second = StreamProgress(
      newestPacket: 2, oldestPacket: 3, newestRecord: last, newestRecordPacket: 2)
    for session in [3, 4].map(SessionID.init) {
      for progress in [first, second] {
        let datagram = Datagram(session: session, body: heartbeat(progress))
        machine.receive(.message(datagram), from: Endpoint(rawValue: 2), at: .zero)
        machine.perform(.follow(session, .since(1)), at: .zero)
      }
    }
    var counters = NetworkCounters()
    machine.addCounters(to: &counters)
    #expect(counters.recordsLost == .max)
  }
}
