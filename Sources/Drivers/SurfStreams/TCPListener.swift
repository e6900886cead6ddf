import CSurfSystem
import Glibc
import SurfSockets
import SurfThreads

/// A non-blocking socket that accepts TCP connections, for `StreamDriver`.
///
/// Not thread-safe: one loop on one thread owns it. It closes with the last reference.
package final class TCPListener {
  /// The outcome of `accept`.
  package enum Outcome {
    /// A connection, ready to read and write.
    case accepted(TCPStream)
    /// No connection is waiting.
    case nobody
    /// A waiting connection is gone, or its network failed (accept(2)). The next may be fine.
    case lost
    /// The process or the system is out of resources. The connection keeps waiting and the socket
    /// stays readable, so try again after a pause.
    case noRoom
  }

  /// The maximum number of waiting connections. The system's limit may be lower.
  package static let backlog: Int32 = 128

  /// The listening address, with the actual port if port 0 was requested.
  package let address: TCPAddress
  let descriptor: Descriptor

  /// For `Poller`. The listener keeps ownership.
  package var fileDescriptor: Int32 { descriptor.raw }

  /// Binds and listens. Lingering connections of an earlier listener may still use the port
  /// (SO_REUSEADDR). An IPv6 listener does not accept IPv4 connections, so that one listener of
  /// each family can use the same port.
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

  /// Accepts one waiting connection, and never waits for one.
  package func accept() -> Outcome {
    let (result, peer) = TCPAddress.read { surf_accept(descriptor.raw, $0, $1) }
    guard result >= 0 else { return Self.outcome(errno: -result) }
    do throws(SocketError) {
      let accepted = try Descriptor(owning: result, .accept)
      guard let peer else { return .lost }
      return .accepted(try TCPStream(accepted, peer: peer))
    } catch {
      return .lost
    }
  }

  private static func outcome(errno: Int32) -> Outcome {
    switch errno {
    case EAGAIN: .nobody
    // accept4 also returns the network errors of the second line.
    case ECONNABORTED, EINTR, EPERM,
      ENETDOWN, EPROTO, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH, EOPNOTSUPP, ENETUNREACH:
      .lost
    // EMFILE, ENFILE, ENOBUFS, ENOMEM, and unknown errors: the loop must not spin on them.
    default: .noRoom
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
