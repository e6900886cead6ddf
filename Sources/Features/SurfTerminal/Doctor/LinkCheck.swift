import Glibc
import SurfSockets

/// What can be wrong with the link between this machine and the others, as far as this machine can
/// tell, and what mends it.
package enum LinkCheck {
  /// Whether an interface can carry anything.
  package static func of(_ interface: NetworkInterface) -> DoctorCheck {
    let facts = "\(interface.name) \(IPv4.text(interface.address)), MTU \(interface.mtu)"
    guard let fault = interface.fault else {
      return DoctorCheck("interface", isFine: true, facts)
    }
    return DoctorCheck(
      "interface", isFine: false, "\(facts): \(fault)", mend: fault.mend(on: interface.name))
  }

  /// Why there is no interface to look at.
  package static func fault(_ error: SocketError) -> DoctorCheck {
    let (name, mend) =
      switch error {
      case .noSuchInterface: ("interface", "--interface with an existing one")
      case .noAddress(let name, let fault): ("interface", fault.mend(on: name))
      case .system, .threads: ("sockets", "")
      }
    return DoctorCheck(name, isFine: false, error.description, mend: mend)
  }

  /// For whoever finds nobody there; nil if nothing is wrong.
  static func remark(on name: String) -> String? {
    do throws(SocketError) {
      return try NetworkInterface.named(name).fault.map {
        "\(name) carries nothing: \($0); try: \($0.mend(on: name))"
      }
    } catch {
      return "\(error)"
    }
  }

  /// What helps where the system refused to send; `interface` is nil if it could not be looked at.
  package static func mend(_ refusal: SocketError, on interface: NetworkInterface?) -> String {
    if let interface, let fault = interface.fault { return fault.mend(on: interface.name) }
    switch (refusal, refusal.errno) {
    case (.system(.send(let place), _), ENETUNREACH?),
      (.system(.send(let place), _), EHOSTUNREACH?):
      let name = interface?.name ?? "eth0"
      return "give both machines addresses of one subnet, or add a route at both ends: "
        + "ip route add \(IPv4.text(place.address)) dev \(name)"
    case (_, EPERM?), (_, EACCES?):
      return "let UDP out through this machine's firewall: nft list ruleset shows its rules"
    default: return "another --interface"
    }
  }
}

extension NetworkInterface.Fault {
  func mend(on name: String) -> String {
    switch self {
    case .down: "ip link set \(name) up"
    case .noCarrier: "plug in the cable of \(name), or join the Wi-Fi"
    case .noAddress:
      "get an address by DHCP, or give one: ip addr add 192.168.1.2/24 dev \(name)"
    case .noMulticast: "ip link set \(name) multicast on"
    }
  }
}
