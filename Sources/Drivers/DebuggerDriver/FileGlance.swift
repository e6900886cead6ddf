import Glibc
import SurfDebugger
import SurfWire

/// A look at a file that a person may mean.
enum FileGlance {
  /// Octets of it that a person sees.
  private static let sizeMax = 200

  static func event(of path: String, for app: SessionID) -> DebuggerEvent {
    let place = HomePath.expanded(path)
    guard let (size, beginning) = beginning(of: place) else {
      return .told("no file is at '\(path)'", isFailure: true)
    }
    return .found(app, path: place, size: size, beginning: beginning)
  }

  private static func beginning(of path: String) -> (size: Int, text: String)? {
    // Not to wait for the writer of a pipe.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    var bytes = [UInt8](repeating: 0, count: sizeMax)
    let count = max(0, read(descriptor, &bytes, bytes.count))
    return (Int(facts.st_size), String(decoding: bytes[..<count], as: UTF8.self))
  }
}
