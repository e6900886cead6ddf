import SurfNetwork
import SurfObserver
import SurfTransport
import SurfWire
import Testing

/// A stranger without the key that speaks in the name of a sealed app (Protocol.md §18.5).
@Suite struct ForgedSessionTests {
  private static let forged = "forged"

  /// Before the app says anything.
  private func deceived(
    realm: Realm? = nil, from origin: Endpoint = SealedWorld.home
  ) -> SealedWorld {
    var world = SealedWorld()
    world.addViewer()
    world.isAppHere = false
    world.forge([.heartbeat(Self.heartbeat(realm: realm))], from: origin)
    world.follow(by: 0)
    world.forge((20...40).map(Self.packet), from: origin)
    world.run(for: 2)
    return world
  }

  private static func heartbeat(realm: Realm? = nil) -> Heartbeat {
    var heartbeat = Heartbeat(
      instance: InstanceID(high: 1, low: 2), app: forged, host: "h", processID: 3,
      contentType: "application/json", acceptsResets: true,
      datagramSize: UInt16(Limits.datagramSizeMax), realm: realm)
    heartbeat.progress = StreamProgress(
      newestPacket: 20, newestRecord: 20, newestRecordPacket: 20, newestStatePacket: 20,
      newestStatePacketCount: 1)
    return heartbeat
  }

  private static func packet(_ number: UInt64) -> Datagram.Body {
    let sequence = SequenceNumber(number)
    let record = Record(
      sequence: sequence, kind: .action, name: forged,
      state: Record.sample(sequence, size: 1_000).state)
    var frames: [UInt8] = []
    Frame.record(record.encoded()).append(to: &frames)
    return .data(DataPacket(sequence: sequence, oldestPacket: 1, frames: frames))
  }

  @Test func `what a stranger sent before the app spoke is taken back, and is shown no more`() {
    for origin in [SealedWorld.home, Endpoint(rawValue: 66)] {
      var world = deceived(from: origin)
      let wasDeceived = world.viewers[0].records
      #expect(wasDeceived.contains(Self.forged))
      world.isAppHere = true
      world.send(1...40)
      world.run(for: 300)
      let apps = world.viewers[0].apps
      #expect(apps == [Self.forged, "app"])
      #expect(!world.viewers[0].records.contains(Self.forged))
      world.follow(by: 0)
      world.run(for: 300)
      #expect(Self.hasAll(1...40, world.viewers[0]))
      world.forge([.heartbeat(Self.heartbeat()), Self.packet(41)], from: origin)
      #expect(world.viewers[0].drops["not sealed"] == 2)
    }
  }

  @Test func `what a stranger sent before the app spoke is sealed for nobody`() {
    var world = deceived()
    world.isAppHere = true
    world.send(1...200)
    world.run(for: 300)
    world.follow(by: 0)
    world.run(for: 300)
    for late in 1...2 {
      world.addViewer()
      world.run(for: 700)
      world.follow(by: late)
      world.run(for: 300)
      #expect(Self.hasAll(1...200, world.viewers[late]))
      #expect(world.viewers[late].counters.packetsFromViewers > 100)
      // The next has the past of this one.
      world.leave(late - 1)
    }
    #expect(world.viewers[1].counters.packetsToViewers > 100)
    #expect(world.count.value == 0)
  }

  @Test func `a repairer sends the octets that the app sealed, but for flags`() {
    // An app that forgets: what it retains is not the same for all.
    var world = SealedWorld(historySizeMax: 300_000)
    world.addViewer()
    world.send(1...400)
    world.run(for: 300)
    for viewer in 0...2 {
      if viewer > 0 { world.addViewer() }
      world.run(for: 700)
      world.follow(by: viewer)
      world.run(for: 300)
      if viewer > 0 { world.leave(viewer - 1) }
    }
    let sent = Set(world.sent.map(Self.withoutFlags))
    let served = world.served.map(Self.withoutFlags)
    #expect(served.count > 200)
    #expect(served.allSatisfy(sent.contains))
  }

  /// The newest state comes first.
  private static func hasAll(_ steps: ClosedRange<Int>, _ viewer: SealedWorld.Viewer) -> Bool {
    viewer.records.sorted() == steps.map { "step \($0)" }.sorted()
  }

  private static func withoutFlags(_ datagram: [UInt8]) -> [UInt8] {
    Array(datagram[..<6]) + [0, 0] + Array(datagram[8...])
  }

  @Test func `an app of another realm than a stranger said is judged by its own`() throws {
    var world = deceived()
    world.isAppHere = true
    world.run(for: 300)
    #expect(world.viewers[0].counters.drops["other realm"] == nil)
    var hidden = SealedWorld(realm: try Realm("atelier"))
    hidden.addViewer()
    hidden.forge([.heartbeat(Self.heartbeat())])
    hidden.run(for: 300)
    let apps = hidden.viewers[0].apps
    #expect(apps == [Self.forged])
    let isGone = hidden.viewers[0].events.contains { $0.isGone }
    #expect(isGone)
    #expect(hidden.viewers[0].machine.otherRealms.count(at: hidden.now) == 1)
  }
}

extension ObserverEvent {
  fileprivate var isGone: Bool { if case .gone = self { true } else { false } }
}
