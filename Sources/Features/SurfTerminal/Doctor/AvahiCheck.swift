import SurfDiscovery
import SurfSockets
import SurfThreads

/// Whether DNS-SD adds to what beacons find. Discovery works without it, so its absence is
/// reported, but is not a fault.
package enum AvahiCheck {
  private static let name = "Avahi"

  /// Asks the daemon, for a second at most.
  static func of(_ interface: NetworkInterface) -> DoctorCheck {
    let answer = Monitor(DaemonState.connecting)
    do throws(ThreadError) {
      let agent = try DiscoveryAgent { event in
        guard case .daemon(let state) = event, state != .connecting else { return }
        answer.withLock { $0 = state }
      }
      agent.pursue(.browse(interface: interface.index))
      answer.wait(until: monotonicNow() + .seconds(1)) { $0 != .connecting }
      agent.stop()
    } catch {
      return DoctorCheck(name, isFine: true, "no thread for the check; beacons find every instance")
    }
    return check(answer.withLock { $0 })
  }

  /// What a state of the daemon means.
  package static func check(_ state: DaemonState) -> DoctorCheck {
    let finding =
      switch state {
      case .running: "the daemon answers"
      case .unavailable(.noLibrary):
        "library libdns_sd.so.1 is not installed: beacons alone find the instances"
          + " (apt-get install libavahi-compat-libdnssd1 avahi-daemon adds DNS-SD)"
      case .connecting, .unavailable:
        "no daemon: beacons alone find the instances (apt-get install avahi-daemon adds DNS-SD)"
      }
    return DoctorCheck(name, isFine: true, finding)
  }
}
