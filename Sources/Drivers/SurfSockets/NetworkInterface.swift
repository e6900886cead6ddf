import CSurfSystem
import Glibc
import SurfThreads

/// A network interface as it was when it was listed.
package struct NetworkInterface: Hashable, Sendable {
  /// For example "lo" or "eth0".
  package var name: String
  /// The kernel's number for it, from 1.
  package var index: UInt32
  /// Its first IPv4 address, in host order; 0 for none.
  package var address: UInt32
  /// In host order; 0xFF00_0000 for a /8.
  package var netmask: UInt32
  /// The largest IP packet, in bytes, headers included.
  package var mtu: Int
  /// Whether it is switched on.
  package var isUp: Bool
  /// Whether it is connected: a cable is plugged in, or a Wi-Fi network is joined.
  package var hasCarrier: Bool
  /// Whether it stays inside this machine.
  package var isLoopback: Bool
  /// The flag for multicast. `lo` lacks it, but carries multicast anyway.
  package var isMulticast: Bool

  /// The size of an IPv4 and a UDP header.
  static let headerSize = 28

  /// The largest datagram that leaves this interface unfragmented, in bytes.
  package var datagramSizeMax: Int { max(0, mtu - Self.headerSize) }

  /// Why an interface cannot carry StateSurf's datagrams, in the order to fix the faults.
  package enum Fault: CaseIterable, Equatable, Sendable {
    case down, noCarrier, noAddress, noMulticast
  }

  /// The first fault to fix, or nil.
  package var fault: Fault? {
    if !isUp { return .down }
    if !hasCarrier { return .noCarrier }
    if address == 0 { return .noAddress }
    // Linux carries IPv4 multicast on lo without setting the flag.
    return isMulticast || isLoopback ? nil : .noMulticast
  }

  /// The network of the address, such as "10.0.0.0/24".
  package var network: String { "\(IPv4.text(address & netmask))/\(netmask.nonzeroBitCount)" }

  /// Whether an address is in that network, so that datagrams to it need no other route.
  package func reaches(_ address: UInt32) -> Bool {
    (address ^ self.address) & netmask == 0
  }

  /// Every interface, with its address if it has one.
  package static func listed() throws(SocketError) -> [NetworkInterface] {
    let descriptor = try Descriptor.udp()
    var head: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&head) == 0 else { throw .system(.listInterfaces, errno: errno) }
    defer { freeifaddrs(head) }
    var interfaces: [NetworkInterface] = []
    var next = head
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let interface = NetworkInterface(entry, descriptor) else { continue }
      // A second address of the same interface is not needed: groups are joined by index.
      guard let known = interfaces.firstIndex(where: { $0.index == interface.index }) else {
        interfaces.append(interface)
        continue
      }
      if interfaces[known].address == 0 { interfaces[known] = interface }
    }
    return interfaces
  }

  /// The interface of that name. The error lists the existing ones, or says why this one has no
  /// address.
  package static func named(_ name: String) throws(SocketError) -> NetworkInterface {
    let interfaces = try listed()
    guard let found = interfaces.first(where: { $0.name == name }) else {
      throw .noSuchInterface(name, existing: interfaces.filter { $0.address != 0 }.map(\.name))
    }
    guard found.address != 0 else { throw .noAddress(name, because: found.fault ?? .noAddress) }
    return found
  }
}

extension NetworkInterface.Fault: CustomStringConvertible {
  /// A clause without a period.
  package var description: String {
    switch self {
    case .down: "it is switched off"
    case .noCarrier: "no cable is plugged in, or no Wi-Fi is joined (NO-CARRIER)"
    case .noAddress: "it has no IPv4 address"
    case .noMulticast: "its multicast is switched off"
    }
  }
}

extension NetworkInterface {
  /// Nil if the interface has just disappeared.
  fileprivate init?(_ entry: ifaddrs, _ descriptor: borrowing Descriptor) {
    guard let name = entry.ifa_name else { return nil }
    let index = if_nametoindex(name)
    let mtu = surf_interface_mtu(descriptor.raw, name)
    guard index > 0, mtu > 0 else { return nil }
    func has(_ flag: Int) -> Bool { Int(entry.ifa_flags) & flag != 0 }
    self.init(
      name: String(cString: name), index: index,
      address: Self.address(entry.ifa_addr) ?? 0,
      netmask: Self.address(entry.ifa_netmask) ?? .max, mtu: Int(mtu),
      isUp: has(IFF_UP), hasCarrier: has(IFF_RUNNING), isLoopback: has(IFF_LOOPBACK),
      isMulticast: has(IFF_MULTICAST))
  }

  private static func address(_ pointer: UnsafeMutablePointer<sockaddr>?) -> UInt32? {
    guard let pointer, pointer.pointee.sa_family == sa_family_t(AF_INET) else { return nil }
    return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
      UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
    }
  }
}

/// IPv4 addresses are plain `UInt32`s in host order: 127.0.0.1 is 0x7F00_0001 everywhere.
package enum IPv4 {
  package static let loopback: UInt32 = 0x7F00_0001

  /// Parses dotted decimal ("239.255.83.83"): four numbers from 0 to 255, nothing else.
  package static func parse(_ text: String) -> UInt32? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var address: UInt32 = 0
    for part in parts {
      // Digits only: `UInt8.init` would also accept "+1", and C's parser reads "010" as eight.
      guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), part == "0" || part.first != "0",
        let byte = UInt8(part)
      else { return nil }
      address = address << 8 | UInt32(byte)
    }
    return address
  }

  /// The address in dotted decimal.
  package static func text(_ address: UInt32) -> String {
    [24, 16, 8, 0].map { String(address >> $0 & 0xFF) }.joined(separator: ".")
  }

  /// Whether the address is a multicast group (224.0.0.0/4, RFC 5771).
  package static func isMulticast(_ address: UInt32) -> Bool {
    address >> 28 == 0xE
  }
}

/// Where a datagram comes from or goes to.
package struct IPv4Endpoint: Hashable, Sendable, CustomStringConvertible {
  /// In host order.
  package var address: UInt32
  /// In host order.
  package var port: UInt16

  package init(address: UInt32, port: UInt16) {
    self.address = address
    self.port = port
  }

  package var description: String { "\(IPv4.text(address)):\(port)" }
}
