import CSurfSockets
import Glibc
import SurfSockets
import SurfThreads

/// A non-blocking socket that accepts TCP connections.
///
/// Not safe for threads: one loop on one thread owns it. It closes with the last reference.
package final class TCPListener {
  /// What `accept` found.
  package enum Outcome {
    /// A connection, ready to read and write.
    case accepted(TCPStream)
    /// No connection waits.
    case nobody
    /// A waiting connection is gone again, or its network failed (accept(2)); the next may be well.
    case lost
    /// There is no room for it, in this process or this system. It still waits, and the socket
    /// stays readable: look again after a while, not at once.
    case noRoom(SocketError)
  }

  /// How many connections may wait to be accepted; the system's own limit may be lower.
  package static let backlog: Int32 = 128

  /// Where it listens, with the real port if any was wished for.
  package let address: TCPAddress
  let descriptor: Descriptor

  /// For `Poller`; the listener goes on owning it.
  package var fileDescriptor: Int32 { descriptor.raw }

  /// Binds and listens. The port may still be in use by connections of an earlier listener that
  /// linger (SO_REUSEADDR); an IPv6 listener does not take IPv4 connections as well, so that both
  /// may listen on one port.
  package init(
    on wanted: TCPAddress, backlog: Int32 = TCPListener.backlog
  ) throws(SocketError) {
    let descriptor = try Descriptor.tcp(wanted.family)
    try descriptor.set(SOL_SOCKET, SO_REUSEADDR, Int32(1), "SO_REUSEADDR")
    if case .v6 = wanted.host {
      try descriptor.set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, Int32(1), "IPV6_V6ONLY")
    }
    let isBound = wanted.withSocketAddress { bind(descriptor.raw, $0, $1) } == 0
    guard isBound, listen(descriptor.raw, backlog) == 0 else {
      throw .system(.listen(on: wanted.description), errno: errno)
    }
    address = try descriptor.localAddress()
    self.descriptor = descriptor
  }

  /// Takes one waiting connection; never waits.
  package func accept() -> Outcome {
    let (result, peer) = TCPAddress.read { surf_accept(descriptor.raw, $0, $1) }
    guard result >= 0 else { return Self.outcome(errno: -result) }
    do throws(SocketError) {
      let accepted = try Descriptor(owning: result, .accept)
      guard let peer else { return .lost }
      return .accepted(try TCPStream(accepted: accepted, peer: peer))
    } catch {
      return .lost
    }
  }

  private static func outcome(errno: Int32) -> Outcome {
    switch errno {
    case EAGAIN: .nobody
    // The second line are errors of the network that accept4 passes on.
    case ECONNABORTED, EINTR, EPERM,
      ENETDOWN, EPROTO, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH, EOPNOTSUPP, ENETUNREACH:
      .lost
    // EMFILE, ENFILE, ENOBUFS, ENOMEM; and whatever else, so that nothing unknown makes it spin.
    default: .noRoom(.system(.accept, errno: errno))
    }
  }
}

extension Descriptor {
  /// A non-blocking TCP socket that child processes do not inherit.
  static func tcp(_ family: Int32) throws(SocketError) -> Descriptor {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let raw = socket(family, type, Int32(IPPROTO_TCP))
    return try Descriptor(owning: raw < 0 ? -errno : raw, .open)
  }

  func localAddress() throws(SocketError) -> TCPAddress {
    let (result, address) = TCPAddress.read { getsockname(raw, $0, $1) < 0 ? -errno : 0 }
    guard let address else { throw .system(.readLocalEndpoint, errno: max(0, -result)) }
    return address
  }
}
