import Foundation
import SurfDiscovery
import SurfNetwork
import SurfObserver
import SurfSeal
import SurfSockets
import SurfTimeline
import SurfTransport
import SurfWire
import TestSupport
import Testing

/// Apps and viewers with and without keys, on loopback.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct SealedTests {
  private static let drive = GroupKey(.drive, Octets32(0..<32)!)
  private static let other = GroupKey(.drive, Octets32(1...32)!)
  private static let key = drive
  private static let watch = drive.watchKey

  @Test func `who has the key sees a sealed app, and moves it`() throws {
    let port = Ports.take()
    let app = TestApp("sealed", port: port, under: Self.key)
    defer { app.end() }
    app.send(1...50, size: 3_000)
    let (viewer, log) = try observe(port: port, with: KeyRing(Self.other, [Self.key]))
    defer { viewer.stop() }
    let session = try #require(log.waitForSession(of: "sealed"))
    viewer.follow(session, since: .since(1))
    app.send(51...100, size: 3_000)
    let records = try #require(log.waitForRecords(100))
    let isExact =
      Set(records.map(\.sequence)).count == 100
      && records.allSatisfy { $0.state == Record.sample($0.sequence, size: 3_000).state }
    #expect(isExact)
    let state = Record.sample(7, size: 100_000).state.content
    #expect(
      viewer.reset(session, to: .record(7), state: state) == .answered(.applied, .record(7)))
    let isWhole = app.resets.map(\.state) == [state]
    #expect(isWhole)
  }

  @Test func `who has no key, or another one, is told that somebody is there, and no more`() throws
  {
    let port = Ports.take()
    let app = TestApp("sealed", port: port, under: Self.key)
    defer { app.end() }
    let open = TestApp("open", port: port)
    defer { open.end() }
    for ring in [nil, KeyRing(Self.other)] {
      let (viewer, log) = try observe(port: port, with: ring)
      defer { viewer.stop() }
      _ = try #require(log.waitForSession(of: "open"))
      let hasHeard = eventually { !viewer.counters.strangers.places.isEmpty }
      #expect(hasHeard)
      let places = viewer.counters.strangers.places
      let place = SealedStrangers.Place(keyID: "f6", address: "127.0.0.1")
      #expect(places == [place])
      #expect(viewer.counters.drops["unknown key", default: 0] > 0)
      let names = log.all.compactMap { event in
        if case .appeared(_, let heartbeat, _) = event { heartbeat.app } else { nil }
      }
      #expect(names == ["open"])
    }
  }

  @Test func `with the watch key one sees all, and moves nothing`() throws {
    let port = Ports.take()
    let app = TestApp("sealed", port: port, under: Self.key)
    defer { app.end() }
    app.send(1...3)
    let (viewer, log) = try observe(port: port, with: KeyRing(Self.watch))
    defer { viewer.stop() }
    let session = try #require(log.waitForSession(of: "sealed"))
    viewer.follow(session, since: .since(1))
    #expect(log.waitForRecords(3) != nil)
    #expect(viewer.reset(session, to: .initial, state: nil) == .watchKeyOnly)
    #expect(app.resets.isEmpty)
  }

  @Test func `an app with the watch key says that nobody can move it`() throws {
    let port = Ports.take()
    let app = TestApp("watched", port: port, under: Self.watch)
    defer { app.end() }
    app.broadcaster.perform(.control(.allCommands))
    let (viewer, log) = try observe(port: port, with: KeyRing(Self.key))
    defer { viewer.stop() }
    let session = try #require(log.waitForSession(of: "watched"))
    let control = log.wait { events in
      events.compactMap { event in
        if case .heartbeat(session, let heartbeat) = event { heartbeat } else { nil }
      }.first { $0.control.contains(.replays) }
    }
    let heartbeat = try #require(control)
    #expect(!heartbeat.acceptsResets)
    #expect(heartbeat.control.isDisjoint(with: [.takesCommands, .takesDeltas]))
  }

  @Test func `who has a key sends no state to an app without one`() throws {
    let port = Ports.take()
    let app = TestApp("open", port: port)
    defer { app.end() }
    let (viewer, log) = try observe(port: port, with: KeyRing(Self.key))
    defer { viewer.stop() }
    let session = try #require(log.waitForSession(of: "open"))
    #expect(viewer.reset(session, to: .initial, state: nil) == .notSealed)
    #expect(app.resets.isEmpty)
  }

  @Test func `unless a person says that it is theirs, and then by every way`() throws {
    let port = Ports.take()
    let app = TestApp("open", port: port)
    defer { app.end() }
    let (viewer, log) = try observe(port: port, with: KeyRing(Self.key), movesOpenApps: true)
    defer { viewer.stop() }
    let session = try #require(log.waitForSession(of: "open"))
    let state = Record.sample(7, size: 10_000).state.content
    #expect(viewer.reset(session, to: .elsewhere, state: state) == .answered(.applied, .elsewhere))
    let isWhole = app.resets.map(\.state) == [state]
    #expect(isWhole)
  }

  @Test func `a viewer knows what is open, what has answered, and what may be a recording`() throws
  {
    let port = Ports.take()
    let app = TestApp("sealed", port: port, under: Self.key)
    defer { app.end() }
    let open = TestApp("open", port: port)
    defer { open.end() }
    let all: [(KeyRing?, Bool, [String: Standing])] = [
      (KeyRing(Self.watch), true, ["open": .open, "sealed": .unproven]),
      (KeyRing(Self.key), false, ["open": .open, "sealed": .sealed]),
      (nil, false, ["open": .plain]), (nil, true, ["open": .plain]),
    ]
    for (ring, isSilent, expected) in all {
      let (viewer, log) = try observe(port: port, with: ring, isSilent: isSilent)
      defer { viewer.stop() }
      for name in expected.keys { _ = try #require(log.waitForSession(of: name)) }
      var standings: [String: Standing] = [:]
      for case .appeared(_, let heartbeat, let standing) in log.all {
        standings[heartbeat.app] = standing
      }
      #expect(standings == expected)
    }
  }

  @Test func `DNS-SD tells no name of a sealed app, and nothing by which it is known again`() {
    var configuration = Broadcaster.Configuration(
      instance: InstanceID(high: 1, low: 2), app: "canary")
    configuration.process = HostFacts(name: "canary", processID: 4_242)
    configuration.contentType = "canary"
    configuration.sealing = Sealing(KeyRing(Self.key), makeCipher: ChaChaPoly.init)
    let first = ServiceAdvertisement(configuration: configuration, ownPort: 7, interface: 0)
    let second = ServiceAdvertisement(configuration: configuration, ownPort: 7, interface: 0)
    let expected = ServiceAdvertisement.Contents.sealed(
      SealedAdvertisement(version: 1, keyID: "f6", group: "239.255.83.83", port: 8_383))
    #expect(first.contents == expected && second.contents == expected)
    #expect(first.name != second.name && first.name.utf8.count == 16)
    configuration.sealing = nil
    let open = ServiceAdvertisement(configuration: configuration, ownPort: 7, interface: 0)
    #expect(open.name == "canary#4242")
  }

  /// So that whoever knows an app by DNS-SD finds it under that name among those that are heard.
  @Test func `DNS-SD tells the names and the version that heartbeats carry`() throws {
    let long = String(repeating: "é", count: 40)
    var configuration = Broadcaster.Configuration(
      instance: InstanceID(high: 1, low: 2), app: long)
    configuration.process = HostFacts(name: long, processID: 7)
    let told = ServiceAdvertisement(configuration: configuration, ownPort: 7, interface: 0)
    guard case .instance(let instance) = told.contents else { throw CancellationError() }
    #expect(instance.app == long.prefix(31) && instance.host == long.prefix(31))
    #expect(instance.library == Introduction.libraryVersion)
  }

  @Test func `of a flood of strangers a bounded count is kept`() {
    var strangers = SealedStrangers()
    for number in 1...1_000 as ClosedRange<UInt64> {
      strangers.note(
        keyID: 9, session: SessionID(rawValue: number), address: 0x0A00_0007, at: .zero)
    }
    let place = SealedStrangers.Place(keyID: "09", address: "10.0.0.7")
    #expect(strangers.places == Array(repeating: place, count: SealedStrangers.countMax))
    // Active senders are kept, and newcomers find room once the flood is over.
    let rightful = SessionID(rawValue: 64)
    strangers.note(keyID: 9, session: rightful, address: 0x0A00_0007, at: .seconds(9))
    strangers.forgetSilent(at: .seconds(11))
    strangers.note(keyID: 8, session: rightful, address: 0x0A00_0008, at: .seconds(11))
    #expect(Set(strangers.places.map(\.keyID)) == ["08", "09"])
    strangers.forgetSilent(at: .seconds(30))
    #expect(strangers.places.isEmpty)
  }

  /// Waits a minute at most, which is a failure, not a measurement.
  private func eventually(_ isDone: () -> Bool) -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while !isDone() {
      guard ContinuousClock.now < end else { return false }
      Thread.sleep(forTimeInterval: 0.02)
    }
    return true
  }
}
