import DebuggerDriver
import Glibc
import SurfSockets
import SurfThreads

/// Finds the processes that hold a UDP port in this network namespace and that this user may see.
package enum PortHolders {
  /// `name#pid` of each process with a socket that prevents binding to `group` on `port`. Empty if
  /// the processes belong to another user.
  package static func names(of port: UInt16, group: UInt32) -> [String] {
    let inodes = ["/proc/net/udp", "/proc/net/udp6"].flatMap {
      self.inodes(in: SystemFile.textIfAny($0), port: port, group: group)
    }
    let links = Set(inodes.map { "socket:[\($0)]" })
    guard !links.isEmpty else { return [] }
    let processes = FolderNames.all(in: "/proc").filter { UInt32($0) != nil && holds($0, links) }
    return processes.map { process in
      let name = SystemFile.textIfAny("/proc/\(process)/comm").prefix { $0 != "\n" }
      return "\(name.isEmpty ? "process" : name)#\(process)"
    }
  }

  /// How many sockets of this network namespace receive what is sent to `group` on `port`; nil if
  /// the system does not say.
  static func count(of port: UInt16, group: UInt32) -> Int? {
    let list = SystemFile.textIfAny("/proc/net/udp")
    return list.isEmpty ? nil : inodes(in: list, port: port, group: group).count
  }

  /// Parses /proc/net/udp. The second field of a line is the local address and port in hexadecimal
  /// digits, the tenth is the socket's inode. Only sockets bound to the wildcard address or to
  /// `group` (host order) are in the way.
  package static func inodes(in text: String, port: UInt16, group: UInt32) -> Set<Substring> {
    var inodes: Set<Substring> = []
    for line in text.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: " ")
      guard fields.count > 9 else { continue }
      let local = fields[1].split(separator: ":")
      guard local.count == 2, UInt16(local[1], radix: 16) == port else { continue }
      let isWildcard = local[0].allSatisfy { $0 == "0" }
      let isGroup = UInt32(local[0], radix: 16) == group.bigEndian
      if isWildcard || isGroup { inodes.insert(fields[9]) }
    }
    return inodes
  }

  private static func holds(_ process: String, _ links: Set<String>) -> Bool {
    let folder = "/proc/\(process)/fd"
    // Its folder cannot be read if it has ended, or belongs to another user.
    return FolderNames.all(in: folder).contains { entry in
      FileDestination.link(at: "\(folder)/\(entry)").map(links.contains) == true
    }
  }
}

/// Reads the files of `/proc`.
enum SystemFile {
  /// Far above the size of any file read here.
  private static let sizeMax = 1 << 20

  /// Empty if the file cannot be read.
  static func textIfAny(_ path: String) -> String {
    do throws(SocketError) { return try text(path) } catch { return "" }
  }

  static func text(_ path: String) throws(SocketError) -> String {
    let raw = open(path, O_RDONLY | O_CLOEXEC)
    let descriptor = try Descriptor(owning: raw < 0 ? -errno : raw, .readFile(path))
    guard let bytes = FileOctets.read(from: descriptor.raw, sizeMax: sizeMax) else {
      throw .system(.readFile(path), errno: errno)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Counts the datagrams that reached this machine but no process since the object was created, by
/// the kernel's counters for this network namespace.
package final class MissedDatagrams {
  private let start: KernelCounts
  /// Receives the probes that are meant for apps, which would count as missed otherwise.
  private let member: UDPSocket?

  /// - Parameter probes: the group and the port of probes.
  package init(probes: IPv4Endpoint, on interface: NetworkInterface) {
    do throws(SocketError) {
      member = try UDPSocket.groupMember(group: probes.address, port: probes.port, on: interface)
    } catch {
      member = nil
    }
    start = KernelCounts.now
  }

  /// Nil if the kernel lacks one of the counters.
  package var counts: KernelCounts.Missed? { KernelCounts.now.missed(since: start) }
}

/// The kernel's counters by the names of their line and column, such as `Udp.IgnoredMulti`.
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
    let texts = ["/proc/net/snmp", "/proc/net/netstat"].map(SystemFile.textIfAny)
    // Half of the counts would pass for all of them.
    return KernelCounts(parsing: texts.contains("") ? "" : texts.joined())
  }

  /// Parses /proc/net/snmp and /proc/net/netstat: a line of names, then a line of numbers that
  /// begins with the same word.
  package init(parsing text: String) {
    let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
    for (names, numbers) in zip(lines, lines.dropFirst()) where names.first == numbers.first {
      for (name, number) in zip(names, numbers).dropFirst() {
        values["\(names[0].dropLast()).\(name)"] = Int(number)
      }
    }
  }

  /// The kernel also counts broadcasts without a listener as ignored, and some networks have many.
  /// So this subtracts all broadcasts.
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
