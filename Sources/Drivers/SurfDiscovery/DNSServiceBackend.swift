/// One operation of the DNS-SD library. Ids are never reused.
package struct OperationID: Hashable, Sendable {
  let number: UInt64
}

package indirect enum ServiceRequest: Hashable, Sendable {
  /// Registers under `name`, which differs from the advertisement's own after a clash.
  case register(ServiceAdvertisement, name: String)
  case browse(interface: UInt32, type: String = Service.type)
  case resolve(Service)
  /// Asks for the IPv4 addresses of a machine, on the service's interface.
  case address(Service, hostTarget: String)
}

/// The answer of an operation. Answers that do not fit the request are ignored.
package enum ServiceAnswer: Equatable, Sendable {
  case registered(name: String)
  case found(Service)
  case removed(Service)
  case resolved(hostTarget: String, port: UInt16, record: [UInt8])
  /// A requested record was added. Removals are not reported.
  case record([UInt8])
  /// The operation has ended.
  case failed(ServiceFailure)
}

package struct OpenedOperation: Sendable {
  /// Readable when `process` has something to do.
  package let descriptor: Int32
  /// Answers that arrived while it started.
  package let answers: [ServiceAnswer]

  package init(descriptor: Int32, answers: [ServiceAnswer] = []) {
    self.descriptor = descriptor
    self.answers = answers
  }
}

/// The DNS-SD library as `DiscoveryDriver` uses it: `SystemDNSService`, or a fake in tests. One
/// thread calls it, and the call may block.
package protocol DNSServiceBackend: AnyObject {
  /// Starts an operation, which `id` then identifies.
  func open(
    _ request: ServiceRequest, as id: OperationID
  ) throws(ServiceFailure) -> OpenedOperation

  /// Reads the answers for an operation whose descriptor is readable.
  func process(_ id: OperationID) -> [ServiceAnswer]

  /// Ends an operation and frees its descriptor. Does nothing if `id` is not open.
  func close(_ id: OperationID)
}
