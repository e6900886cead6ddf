import SurfTimeline
import SurfWire
import TestSupport
import Testing

@Suite struct CatalogTests {
  /// A state of 64 KiB and the deltas that copy it a few times make much of a few octets.
  @Test func `states that a few octets make take no more than their bound`() throws {
    var bounds = Catalog.Bounds()
    bounds.headByteCountMax = 1 << 20
    var catalog = Catalog(bounds: bounds)
    let small = [UInt8](repeating: 7, count: 1 << 16)
    let large = (0..<5).flatMap { _ in small }
    let sessions = (1...64).map { SessionID(rawValue: $0) }
    func delta(_ before: [UInt8], _ after: [UInt8], _ base: SequenceNumber) throws -> RecordState {
      let delta = try #require(Delta.between(before, after, baseRecord: base, sizeMax: .max))
      return .delta(Content(type: "", bytes: delta.encoded()))
    }
    let states = [
      .keyframe(Content(type: "", bytes: small)), try delta(small, large, 1),
      try delta(large, large + [1], 2), try delta(large + [1], small, 3),
    ]
    for (index, session) in sessions.enumerated() {
      catalog.hear(session, heartbeat(pid: UInt32(index), id: UInt64(index)))
    }
    for (number, state) in states.enumerated() {
      for session in sessions {
        let sequence = SequenceNumber(UInt64(number + 1))
        catalog.append(
          Record(sequence: sequence, kind: .action, name: "", state: state), to: session)
        #expect(catalog.headByteCount <= bounds.headByteCountMax)
      }
    }
    for session in sessions {
      let timeline = try #require(catalog[session]?.timeline)
      #expect(timeline.unmadeCount == 0)
      #expect(timeline.state(of: 3)?.bytes == large + [1])
      #expect(timeline.state(of: 4)?.bytes == small)
      catalog.leave(session, saidGoodbye: false)
    }
    #expect(catalog.headByteCount == 0)
  }

  @Test
  func `what one app alone needs beyond the bound is given up, and the next whole state mends`()
    throws
  {
    var bounds = Catalog.Bounds()
    bounds.headByteCountMax = 1_000
    bounds.timeline.byteCountMax = 0
    var catalog = Catalog(bounds: bounds)
    catalog.hear(a, heartbeat(pid: 1, id: 1))
    let state = [UInt8](repeating: 7, count: 2_000)
    let delta = try #require(Delta.between(state, state + [1], baseRecord: 1, sizeMax: .max))
    let whole = RecordState.keyframe(Content(type: "", bytes: state))
    catalog.append(Record(sequence: 1, kind: .action, name: "", state: whole), to: a)
    #expect(catalog.headByteCount == 0)
    let change = RecordState.delta(Content(type: "", bytes: delta.encoded()))
    catalog.append(Record(sequence: 2, kind: .action, name: "", state: change), to: a)
    #expect(catalog.unmadeCount == 1)
    catalog.append(Record(sequence: 3, kind: .action, name: "", state: whole), to: a)
    #expect(catalog.unmadeCount == 1)
  }

  private let a = SessionID(rawValue: 1)
  private let b = SessionID(rawValue: 2)
  private let c = SessionID(rawValue: 3)

  private func found(_ lookup: Lookup) -> [UInt64] {
    switch lookup {
    case .one(let instance): [instance.session.rawValue]
    case .none: []
    case .ambiguous(let candidates): candidates.map(\.session.rawValue)
    }
  }

  private func suggestions(_ lookup: Lookup) -> [String]? {
    if case .none(let suggestions) = lookup { suggestions } else { nil }
  }

  private var two: Catalog {
    var catalog = Catalog()
    catalog.hear(a, heartbeat(pid: 1, id: 0xCAFE))
    catalog.hear(b, heartbeat(pid: 2, id: 0xCAFF))
    return catalog
  }

  @Test(
    arguments: [
      (nil, [1, 2]), ("primetime", [1, 2]), ("PrimeTime#2", [2]), ("primetime#1", [1]),
      ("caf", []), ("cafe", [1]), ("CAFF", [2]), ("cafe0", [1]), ("Todo", []), ("PrimeTime#3", []),
    ] as [(String?, [UInt64])])
  func findsByNameByLabelAndByPrefix(_ name: String?, _ expected: [UInt64]) {
    #expect(found(two.find(name)) == expected)
  }

  private var hosts: Catalog {
    var catalog = Catalog()
    catalog.hear(a, heartbeat(pid: 1, id: 0xCAFE, host: "desk"))
    catalog.hear(b, heartbeat(pid: 1, id: 0xCAFF, host: "pi.local"))
    catalog.hear(c, heartbeat(app: "me@desk", pid: 2, id: 0xBEEF, host: "pi.local"))
    return catalog
  }

  @Test(
    arguments: [
      ("PrimeTime", [1, 2]), ("PrimeTime@desk", [1]), ("primetime#1@PI.local", [2]),
      ("caff@pi.local", [2]), ("cafe@pi.local", []), ("@desk", [1]), ("@pi.local", [2, 3]),
      ("@pi", []), ("@", []), ("PrimeTime@", []), ("me@desk", [3]), ("me@desk#2@pi.local", [3]),
      ("me@desk@desk", []),
    ] as [(String, [UInt64])])
  func `a host narrows the search, and no name is mistaken for one`(
    name: String, expected: [UInt64]
  ) {
    #expect(found(hosts.find(name)) == expected)
  }

  /// Heartbeats carry 63 octets of a name; Linux lets a host have 64, and an app may have more.
  @Test(arguments: [
    ("APP", [1]), ("APP#1", [1]), ("APP#2", []), ("@HOST", [1, 2]), ("Todo@HOST", [2]),
    ("APP#1@HOST", [1]), ("APP@HOST.", [1]), ("cafe@HOST", [1]), ("APPx", [1]), ("APP@", []),
    ("APP@desk", []),
  ])
  func `a name that is too long for heartbeats is found by its whole`(
    name: String, expected: [UInt64]
  ) throws {
    let (app, host) = (String(repeating: "Ä", count: 40), "me@" + String(repeating: "é", count: 31))
    var catalog = Catalog()
    let apps: [(SessionID, String, UInt64)] = [(a, app, 0xCAFE), (b, "Todo", 0xBEEF)]
    for (session, app, id) in apps {
      let sent = Datagram(
        session: session, body: .heartbeat(heartbeat(app: app, pid: 1, id: id, host: host)))
      guard case .heartbeat(let heard) = try Datagram(decoding: sent.encoded()).body else {
        continue
      }
      catalog.hear(session, heard)
    }
    let whole = name.replacing("APP", with: app).replacing("HOST", with: host)
    #expect(found(catalog.find(whole)) == expected)
  }

  @Test func `a slip of the pen with a host is mended with one`() {
    #expect(suggestions(hosts.find("PrimTime@desk"))?.first == "PrimeTime@desk")
    #expect(suggestions(hosts.find("@dusk"))?.first == "@desk")
  }

  @Test func `a label has its host where that is another one`() throws {
    let instance = try #require(hosts[b])
    #expect(instance.label(seenFrom: "desk") == "PrimeTime#1@pi.local")
    #expect(instance.label(seenFrom: "PI.local") == "PrimeTime#1")
    #expect(instance.label(seenFrom: nil) == "PrimeTime#1")
    #expect(found(hosts.find(instance.label(seenFrom: "desk"))) == [2])
  }

  @Test func aSlipOfThePenIsSuggestedAndNotGuessed() {
    #expect(suggestions(two.find("PrimTime")) == ["PrimeTime"])
    #expect(suggestions(two.find("zebra")) == [])
    #expect(suggestions(Catalog().find(nil)) == [])
  }

  @Test func aLiveInstanceIsPreferredToOneThatIsGone() {
    var catalog = two
    catalog.leave(a, saidGoodbye: false)
    #expect(found(catalog.find("PrimeTime")) == [2])
    #expect(found(catalog.find("PrimeTime#1")) == [1])
    #expect(catalog[a]?.status == .gone(saidGoodbye: false))
  }

  @Test func aRestartedInstanceStandsForItsFormerSelf() {
    var catalog = two
    catalog.leave(a, saidGoodbye: true)
    catalog.hear(c, heartbeat(pid: 3, id: 0xCAFE))
    #expect(found(catalog.find("cafe")) == [3])
    catalog.leave(c, saidGoodbye: true)
    catalog.leave(b, saidGoodbye: true)
    #expect(found(catalog.find("PrimeTime")) == [2, 3])
  }

  @Test func aHeartbeatBringsAnInstanceBackWithItsHistory() {
    var catalog = two
    catalog.append(action(1), to: a)
    catalog.leave(a, saidGoodbye: false)
    catalog.hear(a, heartbeat(pid: 1, newest: 1, position: .record(1)))
    #expect(catalog[a]?.status == .live)
    #expect(catalog[a]?.timeline.rows.count == 1)
  }

  @Test func eachInstanceHasItsOwnTimeline() {
    var catalog = two
    catalog.append(action(1), to: a)
    catalog.append(action(1), to: SessionID(rawValue: 77))
    catalog.lose(1...4, of: b)
    #expect(sketch(catalog[a]?.timeline ?? Timeline()) == "0 1")
    #expect(sketch(catalog[b]?.timeline ?? Timeline()) == "0 [1-4 lost]")
  }

  @Test func aFullTableForgetsTheGoneAndRefusesStrangers() {
    var bounds = Catalog.Bounds()
    bounds.instanceCountMax = 2
    var catalog = Catalog(bounds: bounds)
    #expect(catalog.hear(a, heartbeat()) == true)
    #expect(catalog.hear(b, heartbeat()) == true)
    #expect(catalog.hear(c, heartbeat()) == false)
    #expect(catalog.refusedCount == 1)
    catalog.leave(a, saidGoodbye: true)
    #expect(catalog.hear(c, heartbeat()) == true)
    #expect(catalog.instances.map(\.session) == [b, c])
    #expect([a, b, c].map { catalog[$0]?.session } == [nil, b, c])
  }

  @Test func `of those that are gone, the one that went first makes room`() {
    var bounds = Catalog.Bounds()
    bounds.instanceCountMax = 3
    var catalog = Catalog(bounds: bounds)
    for session in [a, b, c] { catalog.hear(session, heartbeat()) }
    for session in [c, a, b] { catalog.leave(session, saidGoodbye: true) }
    // It came back, and went last.
    catalog.hear(c, heartbeat())
    catalog.leave(c, saidGoodbye: true)
    let (fourth, fifth) = (SessionID(rawValue: 78), SessionID(rawValue: 79))
    #expect(catalog.hear(fourth, heartbeat()) == true)
    #expect(catalog.instances.map(\.session) == [b, c, fourth])
    #expect(catalog.hear(fifth, heartbeat()) == true)
    #expect(catalog.instances.map(\.session) == [c, fourth, fifth])
  }

  @Test func allTimelinesTogetherStayWithinTheirBytes() {
    var bounds = Catalog.Bounds()
    bounds.byteCountMax = 2_000
    var catalog = Catalog(bounds: bounds)
    for (session, size) in [(a, 90), (b, 10)] {
      catalog.hear(session, heartbeat())
      for sequence in 1...30 as ClosedRange<SequenceNumber> {
        catalog.append(action(sequence, unrelated(sequence.rawValue, size)), to: session)
      }
    }
    let total = catalog.instances.reduce(0) { $0 + $1.timeline.byteCount }
    #expect(total <= 2_000)
    #expect(catalog[b]?.timeline.state(of: 1) == unrelated(1, 10))
  }
}
