import CSurfSockets
import Glibc
import SurfThreads

/// A non-blocking IPv4 UDP socket, tied to one interface.
///
/// Not safe for threads, and so not `Sendable`: one loop on one thread owns it. It closes with the
/// last reference.
package final class UDPSocket {
  /// Wanted for receiving: some 3,600 full datagrams, a burst of several large records.
  package static let receiveBufferSize = 4 << 20
  /// Wanted for sending: sixteen full segmented calls.
  static let sendBufferSize = 1 << 20

  /// Where the socket is bound; replies to what it sends come here.
  package let localEndpoint: IPv4Endpoint
  /// The interface that it sends and receives on.
  package let interface: NetworkInterface
  /// The group that a member listens to.
  package let group: UInt32?
  /// Whether the kernel hands over runs of datagrams in one buffer (UDP_GRO).
  package let isCoalescing: Bool
  /// How runs of datagrams are sent; moves down for good when the kernel refuses segmentation.
  package internal(set) var sendMethod: SendMethod
  /// What happened so far.
  package internal(set) var counters = SocketCounters()

  let descriptor: Descriptor
  var inbox: Inbox
  var run = SendRun()
  var lastDropCount: UInt32 = 0

  /// For `Poller`; the socket goes on owning it.
  package var fileDescriptor: Int32 { descriptor.raw }

  /// Lost because this socket's receive buffer was full; see `SocketCounters.kernelDrops`.
  package var kernelDrops: Int { counters.kernelDrops }

  private init(
    _ descriptor: consuming Descriptor, on interface: NetworkInterface, group: UInt32?,
    method: SendMethod
  ) throws(SocketError) {
    localEndpoint = try descriptor.localEndpoint()
    isCoalescing = surf_enable_coalescing(descriptor.raw) == 0
    inbox = try Inbox()
    self.interface = interface
    self.group = group
    self.descriptor = descriptor
    sendMethod = method
  }

  /// A socket with a port of its own on the interface's address. Multicast leaves by that
  /// interface whatever the routing table says; nothing leaves the link.
  package static func sender(
    on interface: NetworkInterface, method: SendMethod = .segmentation
  ) throws(SocketError) -> UDPSocket {
    let descriptor = try Descriptor.udp()
    try descriptor.pinMulticast(to: interface)
    descriptor.requestBuffers(receive: receiveBufferSize, send: sendBufferSize)
    try descriptor.bind(to: IPv4Endpoint(address: interface.address, port: 0))
    return try UDPSocket(descriptor, on: interface, group: nil, method: method)
  }

  /// For a viewer's requests and their answers: the same as a sender. Unicast to the group's port
  /// would reach only one of the processes that share it.
  package static func viewer(on interface: NetworkInterface) throws(SocketError) -> UDPSocket {
    try sender(on: interface)
  }

  /// A socket that hears one group on one port and interface, and nothing else; any number of
  /// processes may share the port. Port 0 takes a free one. `receiveBufferSize` in bytes.
  package static func groupMember(
    group: UInt32, port: UInt16, on interface: NetworkInterface,
    receiveBufferSize: Int = UDPSocket.receiveBufferSize
  ) throws(SocketError) -> UDPSocket {
    let descriptor = try Descriptor.udp()
    try descriptor.set(SOL_SOCKET, SO_REUSEADDR, Int32(1), "SO_REUSEADDR")
    try descriptor.pinMulticast(to: interface)
    // Otherwise the socket would also hear the groups that other sockets of this machine joined.
    try descriptor.set(Int32(IPPROTO_IP), IP_MULTICAST_ALL, Int32(0), "IP_MULTICAST_ALL")
    descriptor.requestBuffers(receive: receiveBufferSize, send: sendBufferSize)
    // The group's own address, not INADDR_ANY: other groups on the port stay out.
    try descriptor.bind(to: IPv4Endpoint(address: group, port: port))
    let socket = try UDPSocket(descriptor, on: interface, group: group, method: .segmentation)
    // Joined last, so that the first datagram finds coalescing switched on.
    try socket.descriptor.join(group, on: interface)
    return socket
  }

  /// Room for received datagrams, in bytes as the kernel's limits count them (the system reports
  /// twice that, to cover its own bookkeeping).
  package var receiveBufferSize: Int { Int(descriptor.number(SOL_SOCKET, SO_RCVBUF)) / 2 }

  /// Room for datagrams that wait to be sent, counted like `receiveBufferSize`.
  package var sendBufferSize: Int { Int(descriptor.number(SOL_SOCKET, SO_SNDBUF)) / 2 }
}

/// What a socket saw since it was opened. Counts of datagrams, if not said otherwise.
package struct SocketCounters: Equatable, Sendable {
  /// Accepted by the kernel for sending.
  package var sent = 0
  /// Times that the kernel had no room, and the rest had to wait.
  var blockedSends = 0
  /// Given to the handler.
  package var received = 0
  /// Buffers that held several datagrams (UDP_GRO).
  package var coalescedBuffers = 0
  /// Larger than a buffer, and so not given to the handler.
  package var truncated = 0
  /// "Nobody listens there" answers (ICMP) to something sent earlier.
  package var refused = 0
  /// Lost because this socket's receive buffer was full (SO_RXQ_OVFL). The kernel reports it with
  /// the next datagram that it keeps, and counts a coalesced buffer as one.
  package var kernelDrops = 0
}

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
