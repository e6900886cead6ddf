import CSurfSockets
import Glibc
import SurfSockets
import SurfThreads

/// A non-blocking TCP connection, or the attempt to make one.
///
/// Not safe for threads: one loop on one thread owns it. It closes with the last reference.
package final class TCPStream {
  /// What `read` found.
  package enum ReadOutcome: Equatable, Sendable {
    /// The number of bytes, at least one.
    case bytes(Int)
    /// None now.
    case nothing
    /// The peer will send no more; it may still read.
    case end
  }

  /// The address of the other side.
  package let peer: TCPAddress
  let descriptor: Descriptor

  /// For `Poller`; the stream goes on owning it.
  package var fileDescriptor: Int32 { descriptor.raw }

  private init(_ descriptor: consuming Descriptor, peer: TCPAddress) throws(SocketError) {
    // Small messages go at once; a stream's writer gathers what belongs together.
    try descriptor.set(Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1), "TCP_NODELAY")
    self.descriptor = descriptor
    self.peer = peer
  }

  convenience init(accepted: consuming Descriptor, peer: TCPAddress) throws(SocketError) {
    try self.init(accepted, peer: peer)
  }

  /// Begins to connect, and does not wait: once the stream is writable, `finishConnecting` tells.
  package convenience init(connectingTo peer: TCPAddress) throws(SocketError) {
    try self.init(try Descriptor.tcp(peer.family), peer: peer)
    let result = peer.withSocketAddress { connect(descriptor.raw, $0, $1) }
    // An interrupted connect goes on in the kernel.
    guard result == 0 || errno == EINPROGRESS || errno == EINTR else {
      throw .system(.connect(to: peer.description), errno: errno)
    }
  }

  /// Whether the connection stands; fails if it never will.
  package func finishConnecting() throws(SocketError) -> Bool {
    let error = descriptor.number(SOL_SOCKET, SO_ERROR)
    guard error == 0 else { throw .system(.connect(to: peer.description), errno: error) }
    guard TCPAddress.read({ getpeername(descriptor.raw, $0, $1) }).address != nil else {
      return false
    }
    // The kernel may choose a port of this machine on which nothing listens as our own. The socket
    // then reaches itself (RFC 9293 §3.5, simultaneous open).
    guard try localAddress() != peer else {
      throw .system(.connect(to: peer.description), errno: ECONNREFUSED)
    }
    return true
  }

  /// This side's address.
  package func localAddress() throws(SocketError) -> TCPAddress {
    try descriptor.localAddress()
  }

  /// Reads what waits, as far as there is room; the buffer must not be empty. Never waits.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(SocketError) -> ReadOutcome {
    let count = recv(descriptor.raw, buffer.baseAddress, buffer.count, 0)
    if count > 0 { return .bytes(count) }
    if count == 0 { return .end }
    guard errno == EAGAIN || errno == EINTR else { throw .system(.receive, errno: errno) }
    return .nothing
  }

  /// Gives bytes to the kernel, from the front; returns how many it took, 0 if it has no room now.
  /// A peer that is gone is an error, not a signal.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(SocketError) -> Int {
    let count = send(descriptor.raw, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    if count >= 0 { return count }
    guard errno == EAGAIN || errno == EINTR else { throw .system(.write, errno: errno) }
    return 0
  }

  /// Tells the peer, after everything written, that no more follows. Fails only if the connection
  /// is gone, which reading reports too.
  package func shutDownWriting() {
    _ = shutdown(descriptor.raw, Int32(SHUT_WR))
  }

  /// Makes closing drop what is unsent, and tell the peer by a reset (RFC 9293 §3.5.2).
  package func resetOnClose() {
    _ = descriptor.trySet(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
  }
}
