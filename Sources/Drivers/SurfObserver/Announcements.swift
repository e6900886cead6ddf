import SurfDiscovery
import SurfThreads
import SurfWire

/// The instances that DNS-SD announces. If one is announced but not heard, its group does not reach
/// this viewer, and the viewer says so.
final class Announcements: Sendable {
  private struct Known {
    var services: [Service: ResolvedService] = [:] { didSet { list() } }
    private(set) var instances: [InstanceID: InstanceAdvertisement] = [:]

    private mutating func list() {
      let pairs = services.values.map { service in
        let id = InstanceID(
          high: UInt64(truncatingIfNeeded: service.instance.id >> 64),
          low: UInt64(truncatingIfNeeded: service.instance.id))
        return (id, service.instance)
      }
      instances = Dictionary(pairs) { first, _ in first }
    }
  }

  private let known = Monitor(Known())
  private let realms: RealmFilter

  /// - Parameter realms: Which instances to keep.
  init(realms: RealmFilter) { self.realms = realms }

  /// Far more than a LAN has. It bounds the memory that a flood of invented instances can take.
  private static let countMax = 256

  /// Read at every turn of the loop.
  var instances: [InstanceID: InstanceAdvertisement] { known.withLock { $0.instances } }

  /// Browses on an interface for as long as the returned agent lives.
  func browse(interface: UInt32) throws(ThreadError) -> DiscoveryAgent {
    let agent = try DiscoveryAgent { [self] event in
      switch event {
      case .resolved(let service):
        guard shows(service.instance) else { return }
        known.withLock {
          if $0.services.count < Self.countMax { $0.services[service.service] = service }
        }
      case .removed(let service): known.withLock { $0.services[service] = nil }
      default: break
      }
    }
    agent.pursue(.browse(interface: interface))
    return agent
  }

  private func shows(_ instance: InstanceAdvertisement) -> Bool {
    do throws(RealmError) {
      return realms.shows(instance.realm.isEmpty ? nil : try Realm(instance.realm))
    } catch {
      // Protocol.md §5.1: with an invalid realm, it describes no instance.
      return false
    }
  }
}
