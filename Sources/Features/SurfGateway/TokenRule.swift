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

  /// Why it must not listen at all; nil if it may.
  package var hazard: GatewayHazard? {
    guard let address = listen.first(where: { !$0.isLoopback }) else { return nil }
    if tokenRule == .nowhere { return .noToken(address) }
    return holdsKey && !servesOthersWithKey ? .key(address) : nil
  }
}

/// What a configuration would lay open.
package enum GatewayHazard: Error, Equatable, Sendable {
  /// Everybody who reaches the address could see and set every state.
  case noToken(TCPAddress)
  /// What a key seals on the network would leave the machine in the clear.
  case key(TCPAddress)
}
