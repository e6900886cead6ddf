import SurfRelay
import SurfStreams

/// Where a client must show the token.
package enum TokenRule: Equatable, Sendable {
  /// At every address that others reach; on loopback, too, while the gateway holds a key.
  case whereOthersReach
  /// On loopback, too: who comes there may be a proxy, and anybody behind it.
  case everywhere
  /// Nowhere; then there is loopback alone.
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

  /// Why it must not begin at all; nil if it may.
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
  /// As far as the address tells; a name may mean any machine.
  fileprivate var isOnThisMachine: Bool {
    host.lowercased() == "localhost" || TCPAddress(parsing: host, port: port)?.isLoopback == true
  }
}

/// What a configuration would lay open.
package enum GatewayHazard: Error, Equatable, Sendable {
  /// Everybody who reaches the address could see and set every state.
  case noToken(TCPAddress)
  /// What a key seals on the network would leave the machine in the clear: to whoever comes there,
  case key(TCPAddress)
  /// to this relay,
  case relay(RelayAddress)
  /// or to whichever says on the network that it is one.
  case anyRelay
}
