import SurfDiscovery
import SurfNetwork
import SurfObserver
import SurfRelay
import SurfSockets
import SurfStreams
import SurfThreads
import SurfWire

/// Runs `GatewayMachine` on its own thread, between TCP streams and an `Observer`. A slow panel
/// never holds up an app: it misses messages that it does not read in time.
package final class Gateway: Sendable {
  private let loop: StreamLoop<GatewayMachine>
  private let observer: Observer
  private let reference: Reference
  private let directory: RelayDirectory?
  private let guests: GuestBroadcasts

  /// The addresses that panels may connect to, with the actual ports.
  package var addresses: [TCPAddress] { loop.addresses }

  /// Starts to listen, and to look for apps.
  ///
  /// - Parameter onNote: called on the gateway's thread for each event; must return soon.
  /// - Throws: if an address is in use or a `GatewayHazard`, or the interface does not exist.
  package init(
    configuration: GatewayConfiguration, network: Observer.Configuration,
    onNote: @escaping @Sendable (GatewayNote) -> Void
  ) throws(GatewayError) {
    if let hazard = configuration.hazard { throw .hazard(hazard) }
    let ends = Monitor(Reference.Ends())
    guests = GuestBroadcasts(on: network) { input in ends.withLock { $0.loop }?.send(input) }
    let reference = Reference(ends, guests: guests, onNote: onNote)
    self.reference = reference
    var limits = StreamLimits()
    limits.streamsMax = GatewayLimits.streamCountMax
    limits.unsentMax = GatewayLimits.unsentMax
    limits.unsentSumMax = GatewayLimits.unsentSumMax
    var network = network
    network.viewerName = configuration.viewerName
    do throws(SocketError) {
      loop = try StreamLoop(
        listeners: configuration.listen, name: "statesurf-gate", limits: limits
      ) {
        GatewayMachine(
          configuration: configuration,
          random: { UInt64.random(in: 0 ... .max) },
          wallTime: { wallNow() / 1_000_000 },
          perform: { reference.perform($0) })
      }
    } catch {
      throw .listen("\(error)")
    }
    do throws(SocketError) {
      observer = try Observer(configuration: network) { [loop] event in
        loop.send(.observer(event))
      }
    } catch {
      loop.stop()
      throw .network(error)
    }
    directory = Self.directory(configuration, network, loop)
    reference.connect(observer: observer, loop: loop)
  }

  /// Returns nil if DNS-SD is not needed, or no daemon runs: the gateway works without it.
  private static func directory(
    _ configuration: GatewayConfiguration, _ network: Observer.Configuration,
    _ loop: StreamLoop<GatewayMachine>
  ) -> RelayDirectory? {
    let isWanted = configuration.registersDNSSD && !loop.addresses.isEmpty
    guard network.browsesDNSSD, isWanted || configuration.search != .none else { return nil }
    do {
      let interface = try NetworkInterface.named(network.interface).index
      return try RelayDirectory(
        configuration: configuration, address: loop.addresses.first, interface: interface,
        host: HostFacts.current.name
      ) { [weak loop] in loop?.send(.found($0, formerly: $1)) }
    } catch {
      return nil
    }
  }

  /// Closes everything, and waits until it is closed.
  package func stop() {
    directory?.stop()
    observer.stop()
    // Before the loop, so that the goodbyes of guests are not cut short.
    guests.stop()
    loop.stop()
  }
}

/// Why the gateway did not start.
package enum GatewayError: Error {
  case listen(String)
  case hazard(GatewayHazard)
  case network(SocketError)
}

/// Carries out the machine's requests. The machine is made before the observer and the loop, which
/// are connected later. Weak, because the gateway owns both.
private final class Reference: Sendable {
  struct Ends {
    weak var observer: Observer?
    weak var loop: StreamLoop<GatewayMachine>?
    /// Requests made before the observer existed.
    var early: [GatewayRequest] = []
  }

  private let ends: Monitor<Ends>
  private let guests: GuestBroadcasts
  private let onNote: @Sendable (GatewayNote) -> Void

  init(
    _ ends: Monitor<Ends>, guests: GuestBroadcasts,
    onNote: @escaping @Sendable (GatewayNote) -> Void
  ) {
    (self.ends, self.guests, self.onNote) = (ends, guests, onNote)
  }

  func connect(observer: Observer, loop: StreamLoop<GatewayMachine>) {
    let early = ends.withLock { ends in
      ends.observer = observer
      ends.loop = loop
      defer { ends.early = [] }
      return ends.early
    }
    perform(early)
  }

  func perform(_ requests: [GatewayRequest]) {
    for request in requests { perform(request) }
  }

  private func perform(_ request: GatewayRequest) {
    switch request {
    case .note(let note): onNote(note)
    case .announce, .tell, .settle, .withdraw, .report, .trimMemory: guests.perform(request)
    case .follow, .values, .refetch, .reset, .command: ask(request)
    }
  }

  private func ask(_ request: GatewayRequest) {
    let (observer, loop) = ends.withLock { ends in
      if ends.observer == nil { ends.early.append(request) }
      return (ends.observer, ends.loop)
    }
    switch request {
    case .follow(let session, let past): observer?.follow(session, since: past)
    case .values(let session): observer?.followValues(of: session)
    case .refetch(let session, let rows): observer?.refetch(session, rows)
    case .reset(let session, let target, let state):
      observer?.reset(session, to: target, state: state, from: Self.base(for: target)) {
        loop?.send(.answer(session, $0))
      }
    case .command(let session, let bytes):
      observer?.command(session, bytes) { loop?.send(.answer(session, $0)) }
    case .note, .announce, .tell, .settle, .withdraw, .report, .trimMemory: break
    }
  }

  /// The row whose state the reset sends, so that a delta suffices. If the row has been rewritten
  /// since, the app notices, and gets the whole state.
  private static func base(for target: Position) -> ResetBase? {
    if case .record(let row) = target { .same(row) } else { nil }
  }
}

/// Registers the gateway as a relay with DNS-SD, and finds others, for `Gateway`.
final class RelayDirectory: Sendable {
  private let agent: DiscoveryAgent

  /// - Parameters:
  ///   - address: the address that panels connect to, if any.
  ///   - interface: the index of the interface to register and browse on.
  ///   - onFound: called on the agent's thread with a relay's address and its former one, if any.
  init(
    configuration: GatewayConfiguration, address: TCPAddress?, interface: UInt32, host: String,
    onFound: @escaping @Sendable (RelayAddress, RelayAddress?) -> Void
  ) throws(ThreadError) {
    let own = "StateSurf on \(host)"
    let (search, token) = (configuration.search, configuration.foundRelayToken?.text)
    // The last known address of each relay.
    let known = Monitor<[Service: RelayAddress]>([:])
    agent = try DiscoveryAgent { event in
      if case .removed(let service) = event { known.withLock { $0[service] = nil } }
      guard case .located(let located) = event else { return }
      switch search {
      case .none: return
      case .all where located.port == address?.port && located.service.name.hasPrefix(own): return
      case .named(let name) where located.service.name != name: return
      case .all, .named:
        let relay = Self.relay(located, token: token)
        onFound(relay, known.withLock { $0.updateValue(relay, forKey: located.service) })
      }
    }
    let type = configuration.serviceType
    if configuration.registersDNSSD, let address {
      agent.pursue(
        .advertise(
          ServiceAdvertisement(name: own, type: type, port: address.port, interface: interface)))
    }
    if search != .none { agent.pursue(.browse(interface: interface, type: type)) }
  }

  func stop() { agent.stop() }

  /// Assumes SocketCluster, which the official relay speaks: the service type names no protocol.
  private static func relay(_ located: LocatedService, token: String?) -> RelayAddress {
    var relay = RelayAddress(kind: .socketCluster, host: located.host, port: located.port)
    relay.token = token
    return relay
  }
}
