import SurfDiagnosis
import SurfSockets
import SurfViewer

/// What can be found out about this machine alone, on the caller's thread, within two seconds.
enum MachineChecks {
  static func all(_ common: Invocation.Common) -> [DoctorCheck] {
    do throws(SocketError) {
      let interface = try NetworkInterface.named(common.interface)
      // The other checks send, if only to themselves.
      if common.observes { return [multicast(interface), PortCheck.ofApps(common, interface)] }
      let probe = try InterfaceProbe(
        of: interface, group: common.group, port: common.port, timeout: .milliseconds(500))
      return [multicast(interface)] + checks(probe, interface, group: common.group)
        + [PortCheck.ofApps(common, interface)]
        + (common.browsesDNSSD ? [AvahiCheck.of(interface)] : [])
    } catch {
      return [PortCheck.fault(error) ?? self.fault(error)]
    }
  }

  private static func fault(_ error: SocketError) -> DoctorCheck {
    if case .noSuchInterface = error {
      return DoctorCheck(
        "interface", isFine: false, error.description, mend: "--interface with an existing one")
    }
    return DoctorCheck("sockets", isFine: false, error.description)
  }

  private static func multicast(_ interface: NetworkInterface) -> DoctorCheck {
    // Linux carries IPv4 multicast on lo though it does not set the flag there.
    let isFine = interface.isUp && (interface.isMulticast || interface.isLoopback)
    let facts = "\(interface.name) \(IPv4.text(interface.address)), MTU \(interface.mtu)"
    let mend =
      interface.isUp
      ? "ip link set \(interface.name) multicast on" : "ip link set \(interface.name) up"
    return DoctorCheck("multicast", isFine: isFine, facts, mend: isFine ? "" : mend)
  }

  static func checks(
    _ probe: InterfaceProbe, _ interface: NetworkInterface, group: UInt32
  ) -> [DoctorCheck] {
    [
      loopBack(probe.loopBack), membership(probe.membership, interface, group),
      buffer(probe.receiveBuffer), offloads(probe),
    ]
  }

  private static func loopBack(_ result: InterfaceProbe.LoopBack) -> DoctorCheck {
    let name = "loop-back"
    switch result {
    case .heard(let time):
      return DoctorCheck(
        name, isFine: true, "own datagrams came back within \(milliseconds(time)) ms")
    case .silent(let time):
      return DoctorCheck(
        name, isFine: false, "own datagrams did not come back in \(milliseconds(time)) ms",
        mend: "add a firewall rule that lets in 239.255.0.0/16 and UDP 8383")
    case .refused(let error):
      return DoctorCheck(name, isFine: false, error.description, mend: "another --interface")
    }
  }

  private static func membership(
    _ result: InterfaceProbe.Membership, _ interface: NetworkInterface, _ group: UInt32
  ) -> DoctorCheck {
    let name = "group"
    switch result {
    case .listed:
      return DoctorCheck(name, isFine: true, "member of \(IPv4.text(group)) on \(interface.name)")
    case .absent:
      return DoctorCheck(
        name, isFine: false, "the kernel does not list \(IPv4.text(group)) on \(interface.name)",
        mend: "join fewer groups, or raise the limit: sysctl net.ipv4.igmp_max_memberships")
    case .unreadable(let error): return DoctorCheck(name, isFine: true, error.description)
    }
  }

  private static func buffer(_ buffer: ReceiveBuffer) -> DoctorCheck {
    DoctorCheck(
      "receive buffer", isFine: !buffer.isShort,
      "\(byteText(buffer.granted)) of \(byteText(buffer.requested)) granted",
      mend: buffer.isShort ? "sysctl -w net.core.rmem_max=\(buffer.requested)" : "")
  }

  private static func offloads(_ probe: InterfaceProbe) -> DoctorCheck {
    let send =
      switch probe.segmentation {
      case .usable: "GSO works"
      case .refused: "no GSO (plain calls instead)"
      case .unknown: "GSO untried"
      }
    let receive =
      switch probe.coalescing {
      case .seen: "GRO works"
      case .offered: "GRO offered, not seen"
      case .missing: "no GRO (plain calls instead)"
      }
    // Only slower without them.
    return DoctorCheck("offloads", isFine: true, "\(send), \(receive)")
  }

  private static func milliseconds(_ duration: Duration) -> Int64 {
    Int64(duration / .milliseconds(1)) + 1
  }
}
