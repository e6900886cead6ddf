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
  package var destination: Destination
  package var datagrams: [[UInt8]]

  package init(to destination: Destination, _ datagrams: [[UInt8]]) {
    self.destination = destination
    self.datagrams = datagrams
  }
}
