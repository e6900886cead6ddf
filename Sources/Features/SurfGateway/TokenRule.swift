import SurfRelay
import SurfStreams

package enum TokenRule: Equatable, Sendable {
  /// At every address that other machines can reach; on loopback too while the gateway holds a key.
  case whereOthersReach
  /// On loopback too: the client there may be a proxy for anybody.
  case everywhere
  /// Nowhere. The gateway must then listen on loopback only.
  case nowhere
}

extension GatewayConfiguration {
  package func needsToken(at address: TCPAddress) -> Bool {
    switch tokenRule {
    case .whereOthersReach: holdsKey || !address.isLoopback
    case .everywhere: true
    case .nowhere: false
    }
  }

  /// The reason not to start with this configuration, if there is one.
  package var hazard: GatewayHazard? {
    let address = listen.first { !$0.isLoopback }
    if let address, tokenRule == .nowhere { return .noToken(address) }
    guard holdsKey, !servesOthersWithKey else { return nil }
    if let address { return .key(address) }
    if let relay = relays.first(where: { !$0.isOnThisMachine }) { return .relay(relay) }
    return search == .none ? nil : .anyRelay
  }
}

extension RelayAddress {
  /// Judges by the address alone; a name may resolve to any machine.
  fileprivate var isOnThisMachine: Bool {
    host.lowercased() == "localhost" || TCPAddress(parsing: host, port: port)?.isLoopback == true
  }
}

/// A configuration that would expose apps to others. `Gateway` refuses it.
package enum GatewayHazard: Error, Equatable, Sendable {
  /// Anybody who reaches this address could read and set every state.
  case noToken(TCPAddress)
  /// Sealed states would leave the machine in the clear, to anybody who connects here.
  case key(TCPAddress)
  /// The same, to this relay.
  case relay(RelayAddress)
  /// The same, to anything on the network that claims to be a relay.
  case anyRelay
}
