import SurfDiscovery
import SurfSockets
import SurfWire

/// The instances that DNS-SD knows of. Whoever is among them and is not heard speaks to a group
/// that does not reach this viewer; that is worth telling.
final class Announcements: Sendable {
  private let known = Monitor<[Service: ResolvedService]>([:])

  /// A LAN has far fewer; a flood of invented ones takes no more memory than this.
  private static let countMax = 256

  /// `app#pid on host` by instance id.
  var instances: [InstanceID: String] {
    let services = known.withLock { Array($0.values) }
    let pairs = services.map { service in
      let instance = service.instance
      let id = InstanceID(
        high: UInt64(truncatingIfNeeded: instance.id >> 64),
        low: UInt64(truncatingIfNeeded: instance.id))
      return (id, "\(instance.app)#\(instance.process) on \(instance.host)")
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// Looks for services on an interface for as long as the agent lives.
  func browse(interface: UInt32) throws(DiscoveryError) -> DiscoveryAgent {
    let agent = try DiscoveryAgent { [self] event in
      switch event {
      case .resolved(let service):
        known.change { if $0.count < Self.countMax { $0[service.service] = service } }
      case .removed(let service): known.change { $0[service] = nil }
      default: break
      }
    }
    agent.pursue(.browse(interface: interface))
    return agent
  }
}
