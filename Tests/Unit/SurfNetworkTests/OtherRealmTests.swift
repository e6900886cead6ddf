import SurfNetwork
import SurfObserver
import SurfReceiving
import SurfTransport
import SurfWire
import TestSupport
import Testing

/// A viewer among apps of several realms.
@Suite struct OtherRealmTests {
  private static let red = try! Realm("red")
  private static let blue = try! Realm("blue")

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `whoever restarts or lies, only apps of the viewer's realm are told`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let own = [nil, Self.red].randomElement(using: &random)!
    var street = Street(realms: [nil, Self.red, Self.blue], shown: .only(own), random: random)
    for _ in 0..<300 {
      street.step()
      #expect(street.told.values.allSatisfy { $0 == own }, "seed \(seed)")
      #expect(street.untold(of: own).isEmpty, "seed \(seed)")
      #expect(street.hiddenCount == street.heardInOtherRealms, "seed \(seed)")
    }
    #expect(!street.told.isEmpty)
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `a viewer of all realms is told of every app`(seed: UInt64) {
    let random = SeededGenerator(seed: seed)
    var street = Street(realms: [nil, Self.red, Self.blue], shown: .all, random: random)
    for _ in 0..<300 {
      street.step()
      for realm in street.realms { #expect(street.untold(of: realm).isEmpty, "seed \(seed)") }
      #expect(street.hiddenCount == 0, "seed \(seed)")
    }
  }

  @Test func `a flood of other realms' apps keeps a bounded count, and none of ours out`() {
    var machine = Street.machine(.only(nil))
    for number in 1...10_000 as ClosedRange<UInt64> {
      machine.hear(number, Self.red, at: .zero)
    }
    machine.hear(20_000, nil, at: .zero)
    #expect(machine.takeTold() == [SessionID(rawValue: 20_000)])
    #expect(machine.otherRealms.count(at: .zero) == OtherRealms.countMax)
    let later = Timers.liveness
    #expect(machine.otherRealms.count(at: later) == 0)
    machine.hear(30_000, Self.red, at: later)
    #expect(machine.otherRealms.count(at: later) == 1)
  }

  @Test(arguments: [RealmFilter.only(red), .all])
  func `a session that tells another realm than before is not believed`(shown: RealmFilter) {
    var machine = Street.machine(shown)
    machine.hear(1, Self.red, at: .zero)
    #expect(machine.takeTold() == [SessionID(rawValue: 1)])
    for realm in [Self.blue, nil] { machine.hear(1, realm, at: .zero) }
    #expect(machine.takeTold().isEmpty)
    var counters = NetworkCounters()
    machine.addCounters(to: &counters)
    #expect(counters.drops["other realm"] == 2)
    #expect(machine.otherRealms.count(at: .zero) == 0)
  }
}

/// Apps that come, restart in another realm, and are impersonated.
private struct Street: ~Copyable {
  private struct App {
    var session: SessionID
    var realm: Realm?
    let endpoint: Endpoint
  }

  let realms: [Realm?]
  private(set) var told: [SessionID: Realm?] = [:]
  private let shown: RealmFilter
  private var machine: ObserverMachine
  private var random: SeededGenerator
  private var apps: [App] = []
  private var now = Duration.zero
  private var sessionCount: UInt64 = 0
  /// Those whose heartbeats were heard, whatever realm they claimed.
  private var heard: Set<SessionID> = []
  private var otherAt: [SessionID: Duration] = [:]

  init(realms: [Realm?], shown: RealmFilter, random: SeededGenerator) {
    (self.realms, self.shown, self.random) = (realms, shown, random)
    machine = Self.machine(shown)
    for number in 1...6 as ClosedRange<UInt64> {
      apps.append(
        App(session: newSession(), realm: nil, endpoint: Endpoint(rawValue: 100 + number)))
      apps[apps.count - 1].realm = anyRealm()
    }
  }

  static func machine(_ shown: RealmFilter) -> ObserverMachine {
    ObserverMachine(
      viewerName: "v", repairWindow: 128, heldSizeMax: 0, viewers: Endpoint(rawValue: 1),
      realms: shown, random: SeededGenerator(seed: 1))
  }

  /// Apps of a realm that were heard, but not reported.
  func untold(of realm: Realm?) -> [SessionID] {
    apps.filter { $0.realm == realm && heard.contains($0.session) && told[$0.session] == nil }
      .map(\.session)
  }

  var hiddenCount: Int { machine.otherRealms.count(at: now) }
  var heardInOtherRealms: Int { otherAt.values.count { now - $0 < Timers.liveness } }

  mutating func step() {
    let index = Int.random(in: apps.indices, using: &random)
    switch Int.random(in: 0..<16, using: &random) {
    case 0 where sessionCount < 40:
      apps[index].session = newSession()
      apps[index].realm = anyRealm()
    case 1...3: lie(about: apps[index])
    case 4: now += .milliseconds(900)
    default: speak(apps[index], as: apps[index].realm, from: apps[index].endpoint)
    }
    machine.advance(to: now)
    take()
  }

  private mutating func newSession() -> SessionID {
    sessionCount += 1
    return SessionID(rawValue: sessionCount)
  }

  private mutating func anyRealm() -> Realm? { realms.randomElement(using: &random)! }

  private mutating func lie(about app: App) {
    let stranger = Endpoint(rawValue: 7)
    speak(app, as: anyRealm(), from: Bool.random(using: &random) ? stranger : app.endpoint)
  }

  private mutating func speak(_ app: App, as realm: Realm?, from endpoint: Endpoint) {
    if !shown.shows(realm), told[app.session] == nil { otherAt[app.session] = now }
    if realm == app.realm { heard.insert(app.session) }
    machine.hear(app.session.rawValue, realm, from: endpoint, at: now)
    take()
  }

  private mutating func take() {
    machine.deliverEvents { event in
      switch event {
      case .appeared(let session, let heartbeat, _), .heartbeat(let session, let heartbeat):
        told[session] = .some(heartbeat.realm)
      default: break
      }
    }
  }
}

extension ObserverMachine {
  fileprivate mutating func hear(
    _ session: UInt64, _ realm: Realm?, from endpoint: Endpoint = Endpoint(rawValue: 2),
    at now: Duration
  ) {
    var heartbeat = Heartbeat.sample()
    heartbeat.realm = realm
    let datagram = Datagram(session: SessionID(rawValue: session), body: .heartbeat(heartbeat))
    receive(.message(datagram), from: endpoint, at: now)
  }

  /// The sessions that it reports.
  fileprivate mutating func takeTold() -> [SessionID] {
    var told: [SessionID] = []
    deliverEvents { event in
      switch event {
      case .appeared(let session, _, _), .heartbeat(let session, _): told.append(session)
      default: break
      }
    }
    return told
  }
}
