import Glibc
import SurfThreads

/// What the system refused, and why. `SurfStreams` uses it for TCP, too.
package enum SocketError: Error, Equatable, Sendable {
  /// A system call failed.
  case system(Operation, errno: Int32)
  /// A thread, or what it waits with, could not be created.
  case threads(ThreadError)
  /// No IPv4 interface has that name. `existing` lists those that exist.
  case noSuchInterface(String, existing: [String])
  /// The interface of that name has no IPv4 address. `because` is the first fault to fix.
  case noAddress(String, because: NetworkInterface.Fault)

  /// The operation that failed, in words that complete "cannot …".
  package enum Operation: Equatable, Sendable {
    case open
    case allocateBuffers
    case setOption(String)
    case bind(IPv4Endpoint)
    case readLocalEndpoint
    case join(group: UInt32, interfaceIndex: UInt32)
    case send(to: IPv4Endpoint)
    case receive
    case listInterfaces
    case readFile(String)
    case listen(on: String)
    case accept
    case connect(to: String)
    case write
  }

  /// The system's error number, if a system call failed.
  package var errno: Int32? {
    switch self {
    case .system(_, let errno): errno
    case .threads(let error): error.errno
    case .noSuchInterface, .noAddress: nil
    }
  }

  /// Calls `body`, and wraps its error.
  package static func wrapping<Value>(
    _ body: () throws(ThreadError) -> sending Value
  ) throws(SocketError) -> sending Value {
    do throws(ThreadError) {
      return try body()
    } catch {
      throw .threads(error)
    }
  }
}

extension SocketError: CustomStringConvertible {
  /// One line for people: what failed and what the system says.
  package var description: String {
    switch self {
    case .system(let operation, let errno):
      "cannot \(operation): \(String(cString: strerror(errno))) (errno \(errno))"
    case .threads(let error): error.description
    case .noSuchInterface(let name, let existing):
      "no IPv4 interface is named '\(name)'; there "
        + (existing.isEmpty ? "are none" : "are: \(existing.joined(separator: ", "))")
    case .noAddress(let name, let fault):
      "interface '\(name)' has no IPv4 address" + (fault == .noAddress ? "" : ": \(fault)")
    }
  }
}

extension SocketError.Operation: CustomStringConvertible {
  /// Words that complete "cannot …".
  package var description: String {
    switch self {
    case .open: "open a socket"
    case .allocateBuffers: "allocate the receive buffers"
    case .setOption(let name): "set \(name)"
    case .bind(let endpoint): "bind to \(endpoint)"
    case .readLocalEndpoint: "read the socket's own address"
    case .join(let group, let index): "join \(IPv4.text(group)) on interface \(index)"
    case .send(let endpoint): "send to \(endpoint)"
    case .receive: "receive"
    case .listInterfaces: "list the network interfaces"
    case .readFile(let path): "read \(path)"
    case .listen(let address): "listen on \(address)"
    case .accept: "accept a connection"
    case .connect(let address): "connect to \(address)"
    case .write: "write"
    }
  }
}
