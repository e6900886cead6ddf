import SurfSockets

/// What reached this machine since the watch began, and nobody here got: by the kernel's counters
/// for this network namespace.
package final class MissedDatagrams {
  private let start: KernelCounts
  /// What probes for apps come here for: without it they would count as missed.
  private let member: UDPSocket?

  /// - Parameter probes: the group, and the port of probes.
  package init(probes: IPv4Endpoint, on interface: NetworkInterface) {
    do throws(SocketError) {
      member = try UDPSocket.groupMember(group: probes.address, port: probes.port, on: interface)
    } catch {
      member = nil
    }
    start = KernelCounts.now
  }

  /// Nil if the kernel does not tell.
  package var counts: KernelCounts.Missed? { KernelCounts.now.missed(since: start) }
}

/// Counters of the kernel by the names of their line and column, such as `Udp.IgnoredMulti`.
package struct KernelCounts: Equatable, Sendable {
  private var values: [String: Int] = [:]

  package struct Missed: Equatable, Sendable {
    /// Multicast to a port without a listener.
    package var toOtherPorts: Int
    /// From addresses without a route back (rp_filter).
    package var fromElsewhere: Int

    package init(toOtherPorts: Int, fromElsewhere: Int) {
      (self.toOtherPorts, self.fromElsewhere) = (toOtherPorts, fromElsewhere)
    }
  }

  static var now: KernelCounts {
    do throws(SocketError) {
      return KernelCounts(
        parsing: try SystemFile.text("/proc/net/snmp") + SystemFile.text("/proc/net/netstat"))
    } catch {
      return KernelCounts(parsing: "")
    }
  }

  /// Reads the form of /proc/net/snmp and /proc/net/netstat: a line of names, and under it one of
  /// numbers, which begin with the same word.
  package init(parsing text: String) {
    let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
    for (names, numbers) in zip(lines, lines.dropFirst()) where names.first == numbers.first {
      for (name, number) in zip(names, numbers).dropFirst() {
        values["\(names[0].dropLast()).\(name)"] = Int(number)
      }
    }
  }

  /// A broadcast that nobody listens for is ignored as well, and those are many on some networks:
  /// the kernel tells how many there were.
  package func missed(since start: KernelCounts) -> Missed? {
    func grown(_ name: String) -> Int? {
      guard let now = values[name], let then = start.values[name] else { return nil }
      return now - then
    }
    guard let ignored = grown("Udp.IgnoredMulti"), let broadcasts = grown("IpExt.InBcastPkts"),
      let strayed = grown("TcpExt.IPReversePathFilter")
    else { return nil }
    return Missed(toOtherPorts: max(0, ignored - broadcasts), fromElsewhere: strayed)
  }
}
