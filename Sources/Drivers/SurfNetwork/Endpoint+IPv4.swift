import SurfSockets
import SurfTransport

extension Endpoint {
  package init(_ endpoint: IPv4Endpoint) {
    self.init(rawValue: UInt64(endpoint.address) << 16 | UInt64(endpoint.port))
  }

  package var ipv4: IPv4Endpoint {
    IPv4Endpoint(
      address: UInt32(truncatingIfNeeded: rawValue >> 16),
      port: UInt16(truncatingIfNeeded: rawValue))
  }
}
