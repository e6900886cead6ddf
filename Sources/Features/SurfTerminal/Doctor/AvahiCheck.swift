import Dispatch
import SurfDiscovery
import SurfSockets
import Synchronization

/// Whether DNS-SD adds to what beacons find. Discovery works without it, so its absence is told
/// and is no fault.
package enum AvahiCheck {
  private static let name = "Avahi"

  /// Asks the daemon, for a second at most.
  static func of(_ interface: NetworkInterface) -> Check {
    let answer = Answer()
    do throws(DiscoveryError) {
      let agent = try DiscoveryAgent { event in
        guard case .daemon(let state) = event, state != .connecting else { return }
        answer.state.withLock { $0 = state }
        answer.came.signal()
      }
      agent.pursue(.browse(interface: interface.index))
      _ = answer.came.wait(timeout: .now() + 1)
      agent.stop()
    } catch {
      return Check(name, isFine: true, "no thread for it; beacons find every instance")
    }
    return check(answer.state.withLock { $0 })
  }

  /// What a state of the daemon means.
  package static func check(_ state: DaemonState) -> Check {
    let finding =
      switch state {
      case .running: "the daemon answers"
      case .unavailable(.noLibrary):
        "library libdns_sd.so.1 is not installed: beacons alone find the instances"
          + " (apt-get install libavahi-compat-libdnssd1 avahi-daemon adds DNS-SD)"
      case .connecting, .unavailable:
        "no daemon: beacons alone find the instances (apt-get install avahi-daemon adds DNS-SD)"
      }
    return Check(name, isFine: true, finding)
  }

  private final class Answer: Sendable {
    let state = Mutex(DaemonState.connecting)
    let came = DispatchSemaphore(value: 0)
  }
}
