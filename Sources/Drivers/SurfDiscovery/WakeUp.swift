import Glibc

/// A pair of sockets that wakes a thread out of poll(2). Both ends live as long as this object.
final class WakeUp: Sendable {
  /// Readable once `signal` was called, until `drain`.
  let descriptor: Int32
  private let writer: Int32

  init() throws(DiscoveryError) {
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    guard socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else {
      throw .noDescriptor(errno: errno)
    }
    descriptor = ends[0]
    writer = ends[1]
  }

  deinit {
    close(descriptor)
    close(writer)
  }

  func signal() {
    var byte: UInt8 = 1
    // A full socket is as readable as can be, so a refused byte is no loss.
    _ = write(writer, &byte, 1)
  }

  func drain() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(descriptor, &bytes, bytes.count) > 0 {}
  }
}
