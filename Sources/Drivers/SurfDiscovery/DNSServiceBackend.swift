/// One operation of the DNS-SD library; never used twice.
package struct OperationID: Hashable, Sendable {
  let number: UInt64
}

/// What an operation is for.
package indirect enum ServiceRequest: Hashable, Sendable {
  /// Register under `name`, which is not the advertisement's own after a clash.
  case register(ServiceAdvertisement, name: String)
  case browse(interface: UInt32, type: String = Service.type)
  case resolve(Service)
  /// The IPv4 addresses of a machine, seen from where the service is.
  case address(Service, hostTarget: String)
}

/// What an operation answered. Answers that do not suit the request are ignored.
package enum ServiceAnswer: Equatable, Sendable {
  case registered(name: String)
  case found(Service)
  case removed(Service)
  case resolved(hostTarget: String, port: UInt16, record: [UInt8])
  /// A requested record is there; records that go are not reported.
  case record([UInt8])
  /// The operation is over.
  case failed(ServiceFailure)
}

/// A started operation.
package struct OpenedOperation: Sendable {
  /// Readable when `process` has something to do.
  package let descriptor: Int32
  /// The answers that came while it started.
  package let answers: [ServiceAnswer]

  /// Pairs a descriptor with early answers.
  package init(descriptor: Int32, answers: [ServiceAnswer] = []) {
    self.descriptor = descriptor
    self.answers = answers
  }
}

/// The DNS-SD library as discovery sees it. One thread calls it, and may be blocked by it.
package protocol DNSServiceBackend: AnyObject {
  /// Starts an operation; `id` names it from here on.
  func open(
    _ request: ServiceRequest, as id: OperationID
  ) throws(ServiceFailure) -> OpenedOperation

  /// Reads what came for an operation whose descriptor is readable.
  func process(_ id: OperationID) -> [ServiceAnswer]

  /// Ends an operation and frees its descriptor. Does nothing if `id` is not open.
  func close(_ id: OperationID)
}
