import SurfGateway
import SurfWire
import Testing

/// The memory that all apps and guests together take.
@Suite struct KeptMemoryTests {
  private let bench = Bench.inspecting

  private func fill(_ session: SessionID, rows: ClosedRange<UInt64>, _ octets: [UInt8]) {
    for row in rows {
      let payload = Content(type: "application/octet-stream", bytes: octets)
      bench.observe(
        .record(
          session,
          Record(sequence: SequenceNumber(row), kind: .action, name: "a", payload: payload)))
    }
  }

  @Test func `the app with the longest history gives up the oldest of it, and small ones nothing`()
  {
    let octets = [UInt8](repeating: 1, count: 4 << 20)
    let sessions = (1...4).map { SessionID(rawValue: $0) }
    for session in sessions { bench.observe(.appeared(session, Bench.heartbeat("App"))) }
    fill(sessions[3], rows: 1...1, octets)
    for session in sessions.prefix(3) { fill(session, rows: 1...15, octets) }
    #expect(bench.machine.historySize <= GatewayLimits.historySizeMax)
    #expect(bench.machine.historySize > GatewayLimits.historySizeMax / 2)
    let sizes = sessions.map(bench.machine.historySize(of:))
    #expect(sizes[3] > 4 << 20 && sizes[2] > 0)
  }

  @Test func `what a guest brought is forgotten when it goes, and what others did is kept`() throws
  {
    let peer = InspectorPeer(bench)
    peer.update("a", "1")
    let guest = bench.takeRequests().compactMap { request -> InstanceID? in
      if case .announce(let guest) = request { guest.instance } else { nil }
    }
    let instances = [try #require(guest.first), InstanceID(high: 3, low: 4)]
    let octets = [UInt8](repeating: 1, count: 1 << 20)
    for (session, instance) in zip([1, 2].map(SessionID.init), instances) {
      var heartbeat = Bench.heartbeat("App")
      heartbeat.instance = instance
      bench.observe(.appeared(session, heartbeat))
      fill(session, rows: 1...2, octets)
      bench.observe(.gone(session, saidGoodbye: true))
    }
    #expect((2 << 20..<3 << 20).contains(bench.machine.historySize))
  }

  @Test func `of the values of all apps the largest are forgotten, and small ones stay`() {
    let small = InspectorPeer(bench)
    small.update("small", "1")
    let large = "\"" + String(repeating: "x", count: 3_500_000) + "\""
    for _ in 0..<12 { InspectorPeer(bench).update("large", large) }
    let front = InspectorPeer(bench)
    front.subscribe()
    #expect(front.heard.first == updated("small", "1"))
    let size = front.heard.reduce(0) { $0 + $1.utf8.count }
    #expect(size <= GatewayLimits.inspectorSizeMax && size > GatewayLimits.inspectorSizeMax / 2)
  }

  @Test func `a guest that gives up keeps its newest values`() {
    var records = GuestRecords()
    let value = [UInt8](repeating: 0x31, count: 10_000)
    for number in 0..<100 {
      _ = records.record(.update(id: "\(number)", data: value), wallTime: 0, uptime: 0)
    }
    let before = records.size
    records.shrink(to: before / 2)
    #expect(records.size <= before / 2 && records.size > before / 8)
    let state = records.record(.update(id: "new", data: [0x31]), wallTime: 0, uptime: 9 << 32)
    #expect(state?.carriesState == true)
  }
}
