import Glibc
import JSONTree
import SurfDiscovery
import SurfNetwork
import SurfSockets
import SurfThreads
import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen

extension DoctorSession {
  /// Checks this machine, and starts to count the datagrams that it misses.
  init(
    _ common: Invocation.Common, json: Bool, environment: [String: String],
    gatewayBounds: [MemoryCheck.Bound]
  ) {
    let keys = KeyCheck.all(environment) + [MemoryCheck.of(gatewayBounds)]
    let fingerprints = KeyCheck.fingerprints(environment)
    do throws(SocketError) {
      let interface = try NetworkInterface.named(common.interface)
      let checks = MachineChecks.all(common, on: interface)
      let missed = MissedDatagrams(
        probes: IPv4Endpoint(
          address: common.group, port: NetworkDefaults.probePort(common.port)), on: interface)
      self.init(
        checks: checks + keys, json: json,
        network: NetworkChecks(
          common, on: interface,
          containers: LinkCheck.containerNetworks(besides: interface.name)
        ) { missed.counts }, keys: fingerprints)
    } catch {
      self.init(
        checks: [LinkCheck.fault(error)] + keys, json: json, network: NetworkChecks(common),
        keys: fingerprints)
    }
  }
}

/// `doctor`'s checks of this machine alone, on the caller's thread, for two seconds at most.
package enum MachineChecks {
  static func all(_ common: Invocation.Common, on interface: NetworkInterface) -> [DoctorCheck] {
    do throws(SocketError) {
      // The other checks send datagrams, if only to themselves.
      if common.observes { return [LinkCheck.of(interface), PortCheck.ofApps(common, interface)] }
      let probe = try InterfaceProbe(
        of: interface, group: common.group, port: common.port, timeout: .milliseconds(500))
      return [LinkCheck.of(interface)] + checks(probe, interface, common)
        + [PortCheck.ofApps(common, interface)]
        + (common.browsesDNSSD ? [AvahiCheck.of(interface)] : [])
    } catch {
      return [LinkCheck.of(interface), PortCheck.fault(error) ?? LinkCheck.fault(error)]
    }
  }

  static func checks(
    _ probe: InterfaceProbe, _ interface: NetworkInterface, _ common: Invocation.Common
  ) -> [DoctorCheck] {
    [
      loopBack(probe.loopBack, interface, common),
      membership(probe.membership, interface, common.group),
      buffer(probe.receiveBufferSize), offloads(probe),
    ]
  }

  package static func loopBack(
    _ result: InterfaceProbe.LoopBack, _ interface: NetworkInterface, _ common: Invocation.Common
  ) -> DoctorCheck {
    let name = "loop-back"
    switch result {
    case .heard(let time):
      return DoctorCheck(
        name, isFine: true, "our own datagrams came back within \(milliseconds(time)) ms")
    case .silent(let time):
      return DoctorCheck(
        name, isFine: false, "own datagrams did not come back in \(milliseconds(time)) ms",
        fix: "let UDP to \(IPv4.text(common.group)), ports \(common.port) and "
          + "\(NetworkDefaults.probePort(common.port)), in through this machine's firewall: "
          + "nft list ruleset shows its rules")
    case .refused(let error):
      return DoctorCheck(
        name, isFine: false, error.description, fix: LinkCheck.fix(error, on: interface))
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
        fix: "join fewer groups, or raise the limit: sysctl net.ipv4.igmp_max_memberships")
    case .unreadable(let error): return DoctorCheck(name, isFine: true, error.description)
    }
  }

  private static func buffer(_ granted: Int) -> DoctorCheck {
    let requested = UDPSocket.receiveBufferSize
    // A short one overflows sooner.
    let isShort = granted < requested
    return DoctorCheck(
      "receive buffer", isFine: !isShort,
      "\(byteText(granted)) of \(byteText(requested)) granted",
      fix: isShort ? "sysctl -w net.core.rmem_max=\(requested)" : "")
  }

  private static func offloads(_ probe: InterfaceProbe) -> DoctorCheck {
    // Without offloads, everything is merely slower.
    DoctorCheck(
      "offloads", isFine: true, "\(probe.segmentation.rawValue), \(probe.coalescing.rawValue)")
  }

  private static func milliseconds(_ duration: Duration) -> Int64 {
    Int64(duration / .milliseconds(1)) + 1
  }
}

/// `doctor`'s check that no process holds one of the two UDP ports for itself. Any number of
/// viewers and apps share them.
package enum PortCheck {
  private static let name = "ports"

  /// Binds the stream's port, and the port of probes above it.
  static func ofApps(_ common: Invocation.Common, _ interface: NetworkInterface) -> DoctorCheck {
    let ports = [common.port, NetworkDefaults.probePort(common.port)]
    do throws(SocketError) {
      for port in ports {
        _ = try UDPSocket.groupMember(group: common.group, port: port, on: interface)
      }
    } catch {
      return fault(error) ?? DoctorCheck(name, isFine: false, error.description, fix: fix)
    }
    return DoctorCheck(name, isFine: true, "UDP \(ports[0]) and \(ports[1]) are available")
  }

  /// The check for a port in use; nil if the error has another cause.
  static func fault(_ error: SocketError) -> DoctorCheck? {
    guard case .system(.bind(let endpoint), errno: EADDRINUSE) = error else { return nil }
    return taken(
      endpoint.port, by: PortHolders.names(of: endpoint.port, group: endpoint.address))
  }

  /// The check for a port in use. `holders` is empty if the processes belong to another user.
  package static func taken(_ port: UInt16, by holders: [String]) -> DoctorCheck {
    let holder = holders.isEmpty ? "another process" : holders.map(escaped).joined(separator: ", ")
    return DoctorCheck(
      name, isFine: false, "UDP port \(port) is held by \(holder) and not shared", fix: fix)
  }

  private static let fix =
    "end that process, or use another port: --port here, STATESURF_PORT for the apps"
}

/// `doctor`'s check for DNS-SD. Beacons find apps without it, so its absence is reported, but is
/// not a fault.
package enum AvahiCheck {
  private static let name = "Avahi"

  /// Waits for the daemon's answer, for a second at most.
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

/// `doctor`'s list of memory limits: of a viewer over all apps, and of a gateway over all clients.
package enum MemoryCheck {
  package struct Bound: Equatable, Sendable {
    /// The use of the memory, such as "newest states".
    package let name: String
    /// In octets.
    package let size: Int

    package init(_ name: String, _ size: Int) { (self.name, self.size) = (name, size) }

    /// `newestStatesMax` for "newest states".
    fileprivate var member: JSONObject.Member {
      let words = name.split(separator: " ").map(String.init)
      let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
      let key = ([words.first ?? ""] + rest + ["Max"]).joined()
      return JSONObject.Member(key: key, value: .number(size))
    }

    fileprivate var text: String { "\(name) \(byteText(size))" }
  }

  private static let viewer = [
    Bound("histories", Catalog.Bounds().byteCountMax),
    Bound("newest states", Catalog.Bounds().headByteCountMax),
    Bound("unfinished", Limits.unfinishedSizeMax),
  ]

  package static func of(_ gateway: [Bound]) -> DoctorCheck {
    func list(_ bounds: [Bound]) -> String { bounds.map(\.text).joined(separator: ", ") }
    return DoctorCheck(
      "memory", isFine: true,
      "at most, over all apps: \(list(viewer)); in a gateway: \(list(gateway))",
      figures: JSONObject((viewer + gateway).map(\.member)))
  }
}
