/// An event that a `DiscoveryAgent` reports to its handler.
///
/// Indirect, like `ServiceRequest` and `DiscoveryGoal`: it contains many strings, and each place
/// that copies or destroys one would have code for all of them, in every app.
package indirect enum DiscoveryEvent: Equatable, Sendable {
  /// Reported when it changes.
  case daemon(DaemonState)
  /// The advertisement is registered under `name`, which differs from its own after a clash.
  case registered(ServiceAdvertisement, name: String)
  /// A service appeared. `resolved` or `located` follows when it answers.
  case found(Service)
  case resolved(ResolvedService)
  /// `resolved` for a service of another type. Reported again when its address arrives late, and
  /// when its record changes, for as many services as are watched (`KnownServices.watchCountMax`).
  case located(LocatedService)
  /// A service has a record that does not describe an instance.
  case malformed(Service, InstanceAdvertisementError)
  /// A service disappeared, or the browse that found it has ended.
  case removed(Service)
  /// A goal failed. It is retried after a while.
  case failed(DiscoveryGoal, ServiceFailure)
}

/// Whether a DNS-SD daemon serves us. None of the states is an error of the program.
package enum DaemonState: Equatable, Sendable {
  /// Not known yet: nothing was asked of it, or it has not answered.
  case connecting
  /// At least one goal is being met.
  case running
  /// Every goal waits for its next try.
  case unavailable(ServiceFailure)
}

/// Why an operation ended.
package enum ServiceFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// A `kDNSServiceErr_…` code. Avahi uses -65537, "unknown", for a daemon that is not running.
  case code(Int32)
  /// The library returned no descriptor to wait on.
  case noDescriptor
  /// This machine has no DNS-SD library, or an incomplete one.
  case noLibrary

  /// Avahi's answer to a name that another program of this host has registered.
  package static let nameConflict = code(-65548)

  package var description: String {
    switch self {
    case .code(-65537): "no DNS-SD daemon answers (error -65537)"
    case .code(let code): "the DNS-SD daemon refused (error \(code))"
    case .noDescriptor: "the DNS-SD library returned no descriptor"
    case .noLibrary: "the DNS-SD library (libdns_sd.so.1) is not installed"
    }
  }
}
