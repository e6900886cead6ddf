import Glibc
import SurfDiagnosis
import SurfNetwork
import SurfSockets
import TerminalScreen

/// Whether viewers and apps can share their two UDP ports. Any number of them can, but not with a
/// process that wants one for itself.
package enum PortCheck {
  private static let name = "ports"

  /// Tries the port above the stream's; on the stream's own, everything else was tried.
  static func ofApps(_ common: Invocation.Common, _ interface: NetworkInterface) -> DoctorCheck {
    let port = NetworkDefaults.probePort(common.port)
    do throws(SocketError) {
      _ = try UDPSocket.groupMember(group: common.group, port: port, on: interface)
    } catch {
      return fault(error) ?? DoctorCheck(name, isFine: false, error.description, mend: mend)
    }
    return DoctorCheck(name, isFine: true, "UDP \(common.port) and \(port) are available")
  }

  /// What a failure says if the port is at fault, and neither the interface nor the system.
  static func fault(_ error: SocketError) -> DoctorCheck? {
    guard case .system(.bind(let endpoint), errno: EADDRINUSE) = error else { return nil }
    return taken(
      endpoint.port, by: PortHolders.names(of: endpoint.port, group: endpoint.address))
  }

  /// A port that some processes hold; `holders` is empty if they belong to another user.
  package static func taken(_ port: UInt16, by holders: [String]) -> DoctorCheck {
    let holder = holders.isEmpty ? "another process" : holders.map(escaped).joined(separator: ", ")
    return DoctorCheck(
      name, isFine: false, "UDP port \(port) is held by \(holder) and not shared", mend: mend)
  }

  private static let mend =
    "end that process, or use another port: --port here, STATESURF_PORT for the apps"
}
