import Glibc
import SurfWire

/// What tells one process from another on a LAN.
package struct HostFacts: Sendable {
  /// As heartbeats carry it, so that DNS-SD announces the same name.
  package let name: String
  package let processID: UInt32

  package init(name: String, processID: UInt32) {
    self.name = name.clipped(toUTF8: Limits.labelSizeMax)
    self.processID = processID
  }

  /// Asked anew, because a forked child is another process.
  package static var current: HostFacts {
    HostFacts(name: ownName, processID: UInt32(clamping: getpid()))
  }

  private static let ownName = hostName()

  /// At most 64 bytes on Linux (gethostname(2)); empty if the system does not tell.
  private static func hostName() -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "" }
    return buffer.withUnsafeBytes { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
