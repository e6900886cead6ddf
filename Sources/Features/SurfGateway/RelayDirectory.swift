import SurfDiscovery
import SurfRelay
import SurfStreams
import SurfThreads

/// Registers the gateway as a relay with DNS-SD, and finds others, for `Gateway`.
final class RelayDirectory: Sendable {
  private let agent: DiscoveryAgent

  /// - Parameters:
  ///   - address: the address that panels connect to; nil if there is none.
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
