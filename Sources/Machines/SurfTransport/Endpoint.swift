/// Where a datagram came from, or goes to: opaque here, an address and a port to the driver.
package struct Endpoint: Hashable, Sendable {
  package let rawValue: UInt64
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Whom a transmission is for.
package enum Destination: Hashable, Sendable {
  case group
  case peer(Endpoint)
}

/// Datagrams that go to one destination, in this order.
package struct Transmission: Equatable, Sendable {
  /// The datagrams to send.
  package enum Payload: Equatable, Sendable {
    case datagrams([[UInt8]])
    case run(PacketRun)
  }

  package var destination: Destination
  package var payload: Payload
  /// Whether nothing of it may leave in the clear.
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
