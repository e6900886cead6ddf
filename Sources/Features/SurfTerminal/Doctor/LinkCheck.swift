import Glibc
import SurfSockets

/// Faults of the link to other machines that this machine can see, and how to fix them.
package enum LinkCheck {
  /// Checks whether an interface can carry anything.
  package static func of(_ interface: NetworkInterface) -> DoctorCheck {
    let facts = "\(interface.name) \(IPv4.text(interface.address)), MTU \(interface.mtu)"
    guard let fault = interface.fault else {
      return DoctorCheck("interface", isFine: true, facts)
    }
    return DoctorCheck(
      "interface", isFine: false, "\(facts): \(fault)", fix: fault.fix(on: interface.name))
  }

  /// The check for an interface that cannot be opened.
  package static func fault(_ error: SocketError) -> DoctorCheck {
    let (name, fix) =
      switch error {
      case .noSuchInterface: ("interface", "--interface with an existing one")
      case .noAddress(let name, let fault): ("interface", fault.fix(on: name))
      case .system, .threads: ("sockets", "")
      }
    return DoctorCheck(name, isFine: false, error.description, fix: fix)
  }

  /// A hint for a command that found no apps; nil if the interface is fine.
  static func remark(on name: String) -> String? {
    do throws(SocketError) {
      return try NetworkInterface.named(name).fault.map {
        "\(name) carries nothing: \($0); try: \($0.fix(on: name))"
      }
    } catch {
      return "\(error)"
    }
  }

  /// The bridges that connect this machine's containers. Docker, Podman, CNI plugins and LXC give
  /// their bridges these names.
  ///
  /// - Parameter name: the interface that was searched already.
  package static func containerNetworks(
    among interfaces: [NetworkInterface], besides name: String
  ) -> [NetworkInterface] {
    interfaces.filter { interface in
      interface.fault == nil && interface.name != name
        && interface.name.prefixMatch(of: #/docker|podman|cni|lxcbr|br-[0-9a-f]{12}$/#) != nil
    }
  }

  /// For a person who finds no app; nil if no container runs here.
  package static func check(
    ofContainersOn networks: [NetworkInterface]
  ) -> DoctorCheck? {
    guard let first = networks.first else { return nil }
    let names = networks.map { "\($0.name) (\($0.network))" }.joined(separator: ", ")
    return DoctorCheck(
      "containers", isFine: true,
      "containers run on \(names); each has a loopback of its own, which is not heard here",
      fix: "--interface \(first.name) for apps with STATESURF_INTERFACE=eth0, or enter a container:"
        + " sudo nsenter --target PID --net statesurf (Sources/Containers.md)")
  }

  /// The networks of containers as they are now; none if they cannot be listed.
  static func containerNetworks(besides name: String) -> [NetworkInterface] {
    do throws(SocketError) {
      return containerNetworks(among: try NetworkInterface.listed(), besides: name)
    } catch {
      return []
    }
  }

  /// How to fix a refusal to send. `interface` is nil if it could not be examined.
  package static func fix(_ refusal: SocketError, on interface: NetworkInterface?) -> String {
    if let interface, let fault = interface.fault { return fault.fix(on: interface.name) }
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
  func fix(on name: String) -> String {
    switch self {
    case .down: "ip link set \(name) up"
    case .noCarrier: "plug in the cable of \(name), or join the Wi-Fi"
    case .noAddress:
      "get an address by DHCP, or give one: ip addr add 192.168.1.2/24 dev \(name)"
    case .noMulticast: "ip link set \(name) multicast on"
    }
  }
}
