import CSurfSystem
import Glibc
import SurfThreads

/// A non-blocking IPv4 UDP socket on one interface.
///
/// It is not thread-safe, and so not `Sendable`: one loop on one thread owns it. It closes with the
/// last reference.
package final class UDPSocket {
  /// The requested size: some 3,600 full datagrams, a burst of several large records.
  package static let receiveBufferSize = 4 << 20
  /// The requested size: sixteen full segmented calls.
  static let sendBufferSize = 1 << 20

  /// Where the socket is bound. Replies to its datagrams arrive here.
  package let localEndpoint: IPv4Endpoint
  /// The interface that it sends and receives on.
  package let interface: NetworkInterface
  /// Whether the kernel passes several datagrams in one buffer (UDP_GRO).
  package let isCoalescing: Bool
  /// How runs of datagrams are sent. Changes for good when the kernel refuses a method.
  package internal(set) var sendMethod: SendMethod
  package internal(set) var counters = SocketCounters()

  let descriptor: Descriptor
  var inbox: Inbox
  var staging = SendRun()
  var lastDropCount: UInt32 = 0

  /// For `Poller`. The socket keeps the ownership.
  package var fileDescriptor: Int32 { descriptor.raw }

  /// Lost because this socket's receive buffer was full; see `SocketCounters.kernelDrops`.
  package var kernelDrops: Int { counters.kernelDrops }

  private init(
    _ descriptor: consuming Descriptor, on interface: NetworkInterface, method: SendMethod
  ) throws(SocketError) {
    localEndpoint = try descriptor.localEndpoint()
    isCoalescing = surf_enable_coalescing(descriptor.raw) == 0
    inbox = try Inbox()
    self.interface = interface
    self.descriptor = descriptor
    sendMethod = method
  }

  /// A socket with a port of its own on the interface's address: unicast to the group's port would
  /// reach only one of the processes that share it. Multicast leaves by that interface, whatever
  /// the routing table says, and nothing leaves the link.
  package static func sender(
    on interface: NetworkInterface, method: SendMethod = .segmentation
  ) throws(SocketError) -> UDPSocket {
    let descriptor = try Descriptor.udp()
    try descriptor.pinMulticast(to: interface)
    descriptor.requestBuffers(receive: receiveBufferSize, send: sendBufferSize)
    try descriptor.bind(to: IPv4Endpoint(address: interface.address, port: 0))
    return try UDPSocket(descriptor, on: interface, method: method)
  }

  /// A socket that receives one group on one port and interface, and nothing else. Any number of
  /// processes may share the port. Port 0 takes a free one. `receiveBufferSize` in bytes.
  package static func groupMember(
    group: UInt32, port: UInt16, on interface: NetworkInterface,
    receiveBufferSize: Int = UDPSocket.receiveBufferSize
  ) throws(SocketError) -> UDPSocket {
    let descriptor = try Descriptor.udp()
    try descriptor.set(SOL_SOCKET, SO_REUSEADDR, Int32(1), "SO_REUSEADDR")
    try descriptor.pinMulticast(to: interface)
    // Otherwise the socket would also receive the groups that other sockets of this machine joined.
    try descriptor.set(Int32(IPPROTO_IP), IP_MULTICAST_ALL, Int32(0), "IP_MULTICAST_ALL")
    descriptor.requestBuffers(receive: receiveBufferSize, send: sendBufferSize)
    // The group's own address instead of INADDR_ANY keeps out other groups on the port.
    try descriptor.bind(to: IPv4Endpoint(address: group, port: port))
    let socket = try UDPSocket(descriptor, on: interface, method: .segmentation)
    // Joined last, so that coalescing is on before the first datagram arrives.
    try socket.descriptor.join(group, on: interface)
    return socket
  }

  /// The capacity for received datagrams, in bytes as the kernel's limits count them. The system
  /// reports twice that, to cover its own bookkeeping.
  package var receiveBufferSize: Int { Int(descriptor.number(SOL_SOCKET, SO_RCVBUF)) / 2 }
}

/// The counts of a socket since it was opened; datagrams, unless stated otherwise.
package struct SocketCounters: Equatable, Sendable {
  /// Accepted by the kernel for sending.
  package var sent = 0
  /// Passed to the handler.
  package var received = 0
  /// Buffers with several datagrams (UDP_GRO).
  package var coalescedBuffers = 0
  /// Larger than a buffer, and so not passed to the handler.
  package var truncated = 0
  /// Lost because this socket's receive buffer was full (SO_RXQ_OVFL). The kernel reports it with
  /// the next datagram that it keeps, and counts a coalesced buffer as one.
  package var kernelDrops = 0
}

/// The options that StateSurf sets.
extension Descriptor {
  /// Multicast leaves only by this interface, and is also received on this machine. No datagram of
  /// this socket is routed further.
  func pinMulticast(to interface: NetworkInterface) throws(SocketError) {
    let level = Int32(IPPROTO_IP)
    let membership = Self.membership(of: 0, on: interface)
    try set(level, IP_MULTICAST_IF, membership, "IP_MULTICAST_IF")
    try set(level, IP_MULTICAST_TTL, Int32(1), "IP_MULTICAST_TTL")
    try set(level, IP_TTL, Int32(1), "IP_TTL")
    try set(level, IP_MULTICAST_LOOP, Int32(1), "IP_MULTICAST_LOOP")
    try set(SOL_SOCKET, SO_RXQ_OVFL, Int32(1), "SO_RXQ_OVFL")
  }

  /// Requests buffer sizes, first with the privileged option, which may exceed the system's limit.
  /// A smaller buffer is not an error: code that needs the granted size reads it back.
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
