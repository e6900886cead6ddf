/// What discovery has to tell.
///
/// Indirect, as `ServiceRequest` and `DiscoveryGoal`: it holds many texts, and each place that
/// copies or drops one would have code for all of them, in every app.
package indirect enum DiscoveryEvent: Equatable, Sendable {
  /// Told when it changes.
  case daemon(DaemonState)
  /// The advertisement is on the network under `name`, which differs from its own after a clash.
  case registered(ServiceAdvertisement, name: String)
  /// A service came; its resolution follows when it answers.
  case found(Service)
  case resolved(ResolvedService)
  /// The same, for a service of another type. Told again when its record changes, for as many
  /// services as are watched (`KnownServices.watchCountMax`), and when an address comes late.
  case located(LocatedService)
  /// A service answered with a record that does not describe an instance.
  case malformed(Service, InstanceAdvertisementError)
  /// A service went, or the browse that found it ended: it failed, or is unwanted now.
  case removed(Service)
  /// A goal is not being met; it is tried again after a while.
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
package enum ServiceFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// A `kDNSServiceErr_…` code. Avahi says -65537, "unknown", for a daemon that is not there.
  case code(Int32)
  /// The library gave no descriptor to wait on.
  case noDescriptor
  /// This machine has no DNS-SD library, or not all of one.
  case noLibrary

  /// Avahi's answer to a name that another program of this host has registered.
  package static let nameConflict = code(-65548)

  package var description: String {
    switch self {
    case .code(-65537): "no DNS-SD daemon answers (error -65537)"
    case .code(let code): "the DNS-SD daemon refused (error \(code))"
    case .noDescriptor: "the DNS-SD library gave no descriptor"
    case .noLibrary: "the DNS-SD library (libdns_sd.so.1) is not installed"
    }
  }
}

/// What went wrong so far, by kind.
package struct DiscoveryCounters: Equatable, Sendable {
  /// Registrations and browses that failed, or ended with the daemon.
  package var goalsFailed = 0
  /// Goals beyond `DiscoveryMachine.goalCountMax`.
  package var goalsDropped = 0
  /// Services beyond `KnownServices.countMax`.
  package var servicesDropped = 0
  package var resolvesFailed = 0
  package var resolvesTimedOut = 0
  /// Machines that told no address: their names are left to the system's resolver.
  package var addressesMissing = 0
  /// Records that do not describe an instance.
  package var recordsMalformed = 0

  /// All zero.
  package init() {}
}
