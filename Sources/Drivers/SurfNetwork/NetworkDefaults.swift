import SurfSockets

/// Where apps and viewers meet by default (Protocol.md §5).
package enum NetworkDefaults {
  /// 239.255.83.83: organization-local scope (RFC 2365 §6.2).
  package static let group: UInt32 = 0xEFFF_5353
  package static let port: UInt16 = 8383
  package static let serviceType = "_statesurf._udp"

  /// Apps listen for probes on the port after that of the data. On the same port, each would
  /// receive everything that the others send.
  ///
  /// - Precondition: `port` is one of `ports`.
  package static func probePort(_ port: UInt16) -> UInt16 { port &+ 1 }

  /// Ports that a stream may have. 0 is not a port, and 65,535 has no port after it for probes.
  package static let ports: ClosedRange<UInt16> = 1...65_534
}

/// Why the network cannot be used at all.
package enum NetworkError: Error, Equatable, Sendable {
  case noInterface(name: String, existing: [String])
  case noAddress(interface: String, because: NetworkInterface.Fault)
  case socket(String)
}
