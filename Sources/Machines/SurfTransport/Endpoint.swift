/// Where a datagram came from or goes to. The machines treat it as opaque; for the drivers it is an
/// address and a port.
package struct Endpoint: Hashable, Sendable {
  package let rawValue: UInt64
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

package enum Destination: Hashable, Sendable {
  case group
  case peer(Endpoint)
}

/// Datagrams for one destination, in this order.
package struct Transmission: Equatable, Sendable {
  package enum Payload: Equatable, Sendable {
    case datagrams([[UInt8]])
    case run(PacketRun)
  }

  package var destination: Destination
  package var payload: Payload
  /// Whether it must not leave unsealed.
  package var mustBeSealed = false

  package init(to destination: Destination, _ datagrams: [[UInt8]]) {
    self.destination = destination
    payload = .datagrams(datagrams)
  }

  package init(to destination: Destination, _ run: PacketRun) {
    self.destination = destination
    payload = .run(run)
  }

  package var datagrams: [[UInt8]] {
    switch payload {
    case .datagrams(let datagrams): datagrams
    case .run(let run): run.datagrams
    }
  }
}
