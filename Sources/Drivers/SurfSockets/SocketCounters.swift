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
