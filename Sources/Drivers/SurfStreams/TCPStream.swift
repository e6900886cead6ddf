import CSurfSystem
import Glibc
import SurfSockets
import SurfThreads

/// A non-blocking TCP connection, connected or connecting, for `StreamDriver`.
///
/// Not thread-safe: one loop on one thread owns it. It closes with the last reference.
package final class TCPStream {
  package enum ReadOutcome: Equatable, Sendable {
    /// The number of bytes read, at least one.
    case bytes(Int)
    /// No bytes at present.
    case nothing
    /// The peer will send no more, but may still read.
    case end
  }

  package let peer: TCPAddress
  let descriptor: Descriptor

  /// For `Poller`. The stream keeps ownership.
  package var fileDescriptor: Int32 { descriptor.raw }

  init(_ descriptor: consuming Descriptor, peer: TCPAddress) throws(SocketError) {
    // Sends small messages immediately: `UnsentBytes` already gathers small writes.
    try descriptor.set(Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1), "TCP_NODELAY")
    self.descriptor = descriptor
    self.peer = peer
  }

  /// Starts to connect without waiting. Call `finishConnecting` once the stream is writable.
  package convenience init(connectingTo peer: TCPAddress) throws(SocketError) {
    try self.init(try Descriptor.tcp(peer.family), peer: peer)
    let result = peer.withSocketAddress { connect(descriptor.raw, $0, $1) }
    // An interrupted connect continues in the kernel.
    guard result == 0 || errno == EINPROGRESS || errno == EINTR else {
      throw .system(.connect(to: peer.description), errno: errno)
    }
  }

  /// Whether the connection is established. Throws if connecting failed.
  package func finishConnecting() throws(SocketError) -> Bool {
    let error = descriptor.number(SOL_SOCKET, SO_ERROR)
    guard error == 0 else { throw .system(.connect(to: peer.description), errno: error) }
    guard TCPAddress.read({ getpeername(descriptor.raw, $0, $1) }).address != nil else {
      return false
    }
    // If nothing listens on a port of this machine, the kernel may choose the same port for us. The
    // socket then connects to itself (RFC 9293 §3.5, simultaneous open).
    guard try localAddress() != peer else {
      throw .system(.connect(to: peer.description), errno: ECONNREFUSED)
    }
    return true
  }

  package func localAddress() throws(SocketError) -> TCPAddress {
    try descriptor.localAddress()
  }

  /// Reads available bytes without waiting. The buffer must not be empty.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(SocketError) -> ReadOutcome {
    let count = recv(descriptor.raw, buffer.baseAddress, buffer.count, 0)
    if count > 0 { return .bytes(count) }
    if count == 0 { return .end }
    guard errno == EAGAIN || errno == EINTR else { throw .system(.receive, errno: errno) }
    return .nothing
  }

  /// Writes bytes from the front, and returns how many the kernel took, 0 if its buffer is full. If
  /// the peer is gone, this throws, and raises no signal.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(SocketError) -> Int {
    let count = send(descriptor.raw, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    if count >= 0 { return count }
    guard errno == EAGAIN || errno == EINTR else { throw .system(.write, errno: errno) }
    return 0
  }

  /// Shuts down our side after the bytes written so far. Ignores the only error, a lost connection,
  /// because reading reports it too.
  package func shutDownWriting() {
    _ = shutdown(descriptor.raw, Int32(SHUT_WR))
  }

  /// Makes closing drop unsent bytes and send a reset (RFC 9293 §3.5.2).
  package func resetOnClose() {
    _ = descriptor.trySet(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
  }
}
