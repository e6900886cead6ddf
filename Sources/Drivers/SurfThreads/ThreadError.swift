import Glibc

/// What the system had run out of, and its error number.
package enum ThreadError: Error, Equatable, Sendable {
  /// To wake by, or to wait for a time.
  case noDescriptor(errno: Int32)
  case noThread(name: String, errno: Int32)
  /// Memory, or the right to wait for this many descriptors.
  case noWait(errno: Int32)

  /// The system's error number.
  package var errno: Int32 {
    switch self {
    case .noDescriptor(let errno), .noThread(_, let errno), .noWait(let errno): errno
    }
  }
}

extension ThreadError: CustomStringConvertible {
  /// One line for people: what failed and what the system says.
  package var description: String {
    let action =
      switch self {
      case .noDescriptor: "open a descriptor"
      case .noThread(let name, _): "start the thread '\(name)'"
      case .noWait: "wait for descriptors"
      }
    return "cannot \(action): \(String(cString: strerror(errno))) (errno \(errno))"
  }
}
