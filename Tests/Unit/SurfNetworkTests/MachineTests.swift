import SurfNetwork
import SurfTransport
import SurfWire
import TestSupport
import Testing

/// The app's end, without sockets.
@Suite struct MachineTests {
  private func machine() -> BroadcastMachine {
    BroadcastMachine(
      configuration: Broadcaster.Configuration(
        instance: InstanceID(high: 1, low: 2), app: "app"),
      datagramSize: Limits.datagramSizeMax)
  }

  /// All that it has to send to one address now.
  private func answers(_ machine: inout BroadcastMachine, to endpoint: Endpoint) throws
    -> [Datagram.Body]
  {
    var bodies: [Datagram.Body] = []
    while let next = machine.nextTransmission(at: .zero) {
      guard case .peer(endpoint) = next.destination, case .datagrams(let datagrams) = next.payload
      else { continue }
      bodies += try datagrams.map { try Datagram(decoding: $0).body }
    }
    return bodies
  }

  private func cookie(
    _ machine: inout BroadcastMachine, for viewer: ViewerID, at endpoint: Endpoint
  ) throws -> Cookie {
    let hello = Hello(viewer: viewer, viewerName: "v", since: .max)
    let datagram = Datagram(session: machine.goodbye.session, body: .hello(hello))
    machine.receive(.message(datagram), from: endpoint, at: .zero)
    let cookies = try answers(&machine, to: endpoint).compactMap { body -> Cookie? in
      if case .welcome(let welcome) = body { welcome.cookie } else { nil }
    }
    return try #require(cookies.first)
  }

  @Test func `a hello is attendance, and a probe is not`() throws {
    var machine = machine()
    let endpoint = Endpoint(rawValue: 9)
    let probe = Datagram(session: .none, body: .probe(Probe(viewer: ViewerID(rawValue: 1))))
    machine.receive(.message(probe), from: endpoint, at: .seconds(1))
    #expect(machine.takeAudienceNews() == nil)
    _ = try cookie(&machine, for: ViewerID(rawValue: 1), at: endpoint)
    let news = machine.takeAudienceNews()
    #expect(news?.isArrival == true && news?.end == Timers.audience)
  }

  @Test func `what is kept can be bounded later, and the newest stays`() {
    var machine = machine()
    let payload = Content(type: "text/plain", bytes: [UInt8](repeating: 1, count: 1_000))
    for row in 1...2_000 as ClosedRange<UInt64> {
      let record = Record(
        sequence: SequenceNumber(row), kind: .update, name: "\(row)", payload: payload,
        state: row % 100 == 0 ? .keyframe(payload) : .none)
      machine.perform([.records([record])], at: .zero)
    }
    var now = Duration.zero
    while machine.progress.newestRecord < 2_000 {
      now += .milliseconds(1)
      while machine.nextTransmission(at: now) != nil {}
    }
    #expect(machine.keptSize > 4_000_000)
    machine.perform([.bound(1_000_000)], at: now)
    #expect(machine.keptSize <= 1_100_000 && machine.keptSize > 500_000)
    #expect(machine.progress.newestRecord == 2_000 && machine.progress.newestStatePacketCount > 0)
  }

  @Test func `an app that speaks for another process announces that one`() throws {
    var configuration = Broadcaster.Configuration(
      instance: InstanceID(high: 1, low: 2), app: "app")
    for process in [HostFacts(name: "phone", processID: 50_412), nil] {
      configuration.process = process
      var machine = BroadcastMachine(
        configuration: configuration, datagramSize: Limits.datagramSizeMax)
      guard case .datagrams(let datagrams)? = machine.nextTransmission(at: .seconds(1))?.payload,
        case .heartbeat(let heartbeat)? = try datagrams.first.map({ try Datagram(decoding: $0) })?
          .body
      else {
        Issue.record("there is no heartbeat")
        continue
      }
      let announced = process ?? .current
      #expect(heartbeat.host == announced.name)
      #expect(heartbeat.processID == announced.processID)
    }
  }

  @Test func `the last words say twice what was given up, and then goodbye`() throws {
    var machine = machine()
    let givenUp = Heartbeat.GivenUp(states: 7, records: 3)
    let record = Record(sequence: 1, kind: .log(.info), name: "", state: .none)
    machine.perform([.records([record]), .givenUp(givenUp)], at: .zero)
    let words = machine.farewell(at: .seconds(1))
    #expect(words.destination == .group)
    let bodies = try words.datagrams.map { try Datagram(decoding: $0).body }
    guard case .heartbeat(let heartbeat) = bodies.first, bodies.count == 4 else {
      Issue.record("\(bodies)")
      return
    }
    #expect(heartbeat.givenUp == givenUp)
    let goodbye = Datagram.Body.goodbye(Goodbye(newestPacket: 0, newestRecord: 1))
    #expect(bodies == [.heartbeat(heartbeat), .heartbeat(heartbeat), goodbye, goodbye])
  }

  @Test func `an app tells its realm`() throws {
    var configuration = Broadcaster.Configuration(instance: InstanceID(high: 1, low: 2), app: "app")
    for realm in [nil, try Realm("atelier")] {
      configuration.realm = realm
      var machine = BroadcastMachine(
        configuration: configuration, datagramSize: Limits.datagramSizeMax)
      let next = machine.nextTransmission(at: .seconds(1))
      guard case .datagrams(let datagrams)? = next?.payload else { continue }
      let bodies = try datagrams.map { try Datagram(decoding: $0).body }
      let told = bodies.compactMap { if case .heartbeat(let beat) = $0 { beat.realm } else { nil } }
      #expect(told == [realm].compactMap(\.self))
      #expect(bodies.count == 1)
    }
  }

  @Test func `each viewer has its answer though their requests have the same number`() throws {
    var machine = machine()
    let viewers = [1, 2].map { ViewerID(rawValue: $0) }
    let endpoints = [1, 2].map { Endpoint(rawValue: $0) }
    for (viewer, endpoint) in zip(viewers, endpoints) {
      let reset = Reset(
        viewer: viewer, cookie: try cookie(&machine, for: viewer, at: endpoint), request: 7,
        viewerName: "v", target: .initial, part: .initial)
      machine.receive(
        .message(Datagram(session: machine.goodbye.session, body: .reset(reset))), from: endpoint,
        at: .zero)
      _ = try answers(&machine, to: endpoint)
    }
    let resets = machine.takeResets()
    machine.perform(resets.map { .answer($0, .applied) }, at: .zero)
    var told: [ViewerID: Endpoint] = [:]
    while let next = machine.nextTransmission(at: .zero) {
      guard case .peer(let endpoint) = next.destination,
        case .datagrams(let datagrams) = next.payload
      else { continue }
      for bytes in datagrams {
        guard case .outcome(let outcome) = try Datagram(decoding: bytes).body else { continue }
        told[outcome.viewer] = endpoint
      }
    }
    #expect(told == [viewers[0]: endpoints[0], viewers[1]: endpoints[1]])
  }
}
