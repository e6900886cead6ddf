import Glibc
import SurfThreads

/// The options that StateSurf sets, each with its reason.
extension Descriptor {
  /// Multicast leaves only by this interface and is heard on this machine too; like every other
  /// datagram of this socket, it is not routed on.
  func pinMulticast(to interface: NetworkInterface) throws(SocketError) {
    let level = Int32(IPPROTO_IP)
    let membership = Self.membership(of: 0, on: interface)
    try set(level, IP_MULTICAST_IF, membership, "IP_MULTICAST_IF")
    try set(level, IP_MULTICAST_TTL, Int32(1), "IP_MULTICAST_TTL")
    try set(level, IP_TTL, Int32(1), "IP_TTL")
    try set(level, IP_MULTICAST_LOOP, Int32(1), "IP_MULTICAST_LOOP")
    try set(SOL_SOCKET, SO_RXQ_OVFL, Int32(1), "SO_RXQ_OVFL")
  }

  /// Asks for buffers, first with the privileged option, which may exceed the system's limit. Code
  /// that shows the granted sizes reads them back; too little is not an error.
  func requestBuffers(receive: Int, send: Int) {
    let receive = Int32(clamping: receive)
    if trySet(SOL_SOCKET, SO_RCVBUFFORCE, receive) != 0 {
      _ = trySet(SOL_SOCKET, SO_RCVBUF, receive)
    }
    let send = Int32(clamping: send)
    if trySet(SOL_SOCKET, SO_SNDBUFFORCE, send) != 0 {
      _ = trySet(SOL_SOCKET, SO_SNDBUF, send)
    }
  }

  func join(_ group: UInt32, on interface: NetworkInterface) throws(SocketError) {
    let membership = Self.membership(of: group, on: interface)
    let error = trySet(Int32(IPPROTO_IP), IP_ADD_MEMBERSHIP, membership)
    guard error == 0 else {
      throw .system(.join(group: group, interfaceIndex: interface.index), errno: error)
    }
  }

  /// By index, because addresses change and may occur twice.
  private static func membership(
    of group: UInt32, on interface: NetworkInterface
  ) -> ip_mreqn {
    ip_mreqn(
      imr_multiaddr: in_addr(group), imr_address: in_addr(interface.address),
      imr_ifindex: Int32(truncatingIfNeeded: interface.index))
  }
}
