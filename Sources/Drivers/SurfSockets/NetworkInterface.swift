import CSurfSockets
import Glibc
import SurfThreads

/// A network interface with an IPv4 address, as it was when it was listed.
package struct NetworkInterface: Hashable, Sendable {
  /// "lo", "eth0".
  package var name: String
  /// The kernel's number for it, from 1.
  package var index: UInt32
  /// Its first IPv4 address, in host order.
  package var address: UInt32
  /// In host order; 0xFF00_0000 for a /8.
  package var netmask: UInt32
  /// The largest IP packet, in bytes, headers included.
  package var mtu: Int
  /// Whether it is switched on.
  package var isUp: Bool
  /// Whether it stays inside this machine.
  package var isLoopback: Bool
  /// Whether it says that it carries multicast. `lo` says no, and carries it all the same.
  package var isMulticast: Bool

  /// What an IPv4 and a UDP header take of `mtu`.
  static let headerSize = 28

  /// The largest datagram that leaves this interface in one piece, in bytes.
  package var datagramSizeMax: Int { max(0, mtu - Self.headerSize) }

  /// Every interface with an IPv4 address, in the kernel's order.
  package static func all() throws(SocketError) -> [NetworkInterface] {
    let descriptor = try Descriptor.udp()
    var head: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&head) == 0 else { throw .system(.listInterfaces, errno: errno) }
    defer { freeifaddrs(head) }
    var interfaces: [NetworkInterface] = []
    var next = head
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let interface = NetworkInterface(entry, descriptor) else { continue }
      // A second address of the same interface adds nothing: groups are joined by index.
      if !interfaces.contains(where: { $0.index == interface.index }) {
        interfaces.append(interface)
      }
    }
    return interfaces
  }

  /// The interface of that name; the error lists the ones there are.
  package static func named(_ name: String) throws(SocketError) -> NetworkInterface {
    let interfaces = try all()
    guard let found = interfaces.first(where: { $0.name == name }) else {
      throw .noSuchInterface(name, existing: interfaces.map(\.name))
    }
    return found
  }
}

extension NetworkInterface {
  /// `nil` for an entry of another address family, or of an interface that has just gone.
  fileprivate init?(_ entry: ifaddrs, _ descriptor: borrowing Descriptor) {
    guard let address = Self.address(entry.ifa_addr), let name = entry.ifa_name else { return nil }
    let index = if_nametoindex(name)
    let mtu = surf_interface_mtu(descriptor.raw, name)
    guard index > 0, mtu > 0 else { return nil }
    func has(_ flag: Int) -> Bool { Int(entry.ifa_flags) & flag != 0 }
    self.init(
      name: String(cString: name), index: index, address: address,
      netmask: Self.address(entry.ifa_netmask) ?? .max, mtu: Int(mtu),
      isUp: has(IFF_UP), isLoopback: has(IFF_LOOPBACK),
      isMulticast: has(IFF_MULTICAST))
  }

  private static func address(_ pointer: UnsafeMutablePointer<sockaddr>?) -> UInt32? {
    guard let pointer, pointer.pointee.sa_family == sa_family_t(AF_INET) else { return nil }
    return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
      UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
    }
  }
}
