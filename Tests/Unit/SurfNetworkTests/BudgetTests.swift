import SurfNetwork
import SurfObserver
import SurfReceiving
import SurfTransport
import SurfWire
import TestSupport
import Testing

/// A viewer's limit for unfinished data over all sessions, and its report of what it dropped.
@Suite struct BudgetTests {
  private static let app = Endpoint(rawValue: 2)

  /// The first packet of two sessions never comes, so that all others wait.
  @Test func `what the memory budget dropped is counted, each packet once`() {
    var machine = ObserverMachine(
      viewerName: "v", repairWindow: 128, heldSizeMax: 0, viewers: Endpoint(rawValue: 1),
      random: SeededGenerator(seed: 1))
    let (large, small) = (27_000, 21_000)
    for (session, count) in [(SessionID(rawValue: 3), large), (SessionID(rawValue: 4), small)] {
      #expect(unfinished(machine) == 0)
      join(session, &machine)
      hold(count, of: session, &machine)
      machine.advance(to: .milliseconds(1))
    }
    // Together they are more than sessions may hold that nobody has proven.
    #expect((large + small) * Self.frames.count > Limits.unprovenSizeMax)
    #expect(unfinished(machine) == large, "those of the session that held the most")
    machine.advance(to: .milliseconds(2))
    #expect(unfinished(machine) == large, "there is room for the others")
  }

  private static let frames = [UInt8](repeating: 0, count: 1_440)

  private func join(_ session: SessionID, _ machine: inout ObserverMachine) {
    let heartbeat = Heartbeat(
      instance: InstanceID(high: 1, low: 2), app: "app", host: "host", processID: 3,
      contentType: "", acceptsResets: false, datagramSize: 1_472)
    machine.receive(
      .message(Datagram(session: session, body: .heartbeat(heartbeat))), from: Self.app, at: .zero)
    machine.perform(.follow(session, .newestState), at: .zero)
  }

  private func hold(_ count: Int, of session: SessionID, _ machine: inout ObserverMachine) {
    for number in 0..<count {
      let packet = DataPacket(
        sequence: SequenceNumber(UInt64(number + 2)), oldestPacket: 1, frames: Self.frames)
      PacketTrain.with(packet, of: session) {
        machine.receive(.packets($0), from: Self.app, at: .zero)
      }
    }
  }

  private func unfinished(_ machine: borrowing ObserverMachine) -> Int {
    var counters = NetworkCounters()
    machine.addCounters(to: &counters)
    return counters.drops["unfinished", default: 0]
  }
}
