internal import Glibc
internal import SurfBasics
internal import SurfThreads
package import SurfWire

/// A program's instance id in a file, so that the program has the same id when it starts again. The
/// file is locked for as long as this object exists, so that no two processes share the id.
package final class KeptInstance: Sendable {
  package let instance: InstanceID
  private let descriptor: Int32

  /// Why no id is kept, for the log.
  package struct Fault: Error, Equatable, CustomStringConvertible {
    package let description: String
  }

  /// Reads the id from the program's file, or writes `fresh` to it if it has none.
  ///
  /// - Parameter directory: Created if it does not exist, for this user alone.
  package init(of app: String, in directory: String, or fresh: InstanceID) throws(Fault) {
    let path = directory + "/" + Self.fileName(app, "id")
    guard FileOctets.makeFolder(directory) else {
      throw Self.fault("make the directory", directory)
    }
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Self.fault("open", path) }
    do throws(Fault) {
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        throw Fault(
          description: "another process of this name has the kept instance id; this one is new")
      }
      if let kept = Self.read(descriptor) {
        instance = kept
      } else {
        try Self.write(fresh, to: descriptor, path)
        instance = fresh
      }
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// `$XDG_STATE_HOME/statesurf/instances`, or in the home directory; nil if there is neither.
  package static func directory(_ environment: [String: String]) -> String? {
    environment.folder("XDG_STATE_HOME", home: ".local/state").map { $0 + "/statesurf/instances" }
  }

  /// A file name for an app. Octets that have a meaning in paths are percent-encoded.
  static func fileName(_ app: String, _ suffix: String) -> String {
    app.utf8.prefix(80).map { octet in
      let isPlain = octet >= 0x30 && octet != 0x7F && octet < 0x80
      return isPlain ? String(UnicodeScalar(octet)) : "%" + String(octet, radix: 16)
    }.joined() + "." + suffix
  }

  /// Nil if the file does not contain an id.
  private static func read(_ descriptor: Int32) -> InstanceID? {
    var text = [UInt8](repeating: 0, count: 33)
    let count = pread(descriptor, &text, text.count, 0)
    guard count >= 32 else { return nil }
    let digits = String(decoding: text[..<32], as: UTF8.self)
    guard let high = UInt64(String(digits.prefix(16)), radix: 16),
      let low = UInt64(String(digits.suffix(16)), radix: 16)
    else { return nil }
    return InstanceID(high: high, low: low)
  }

  private static func write(
    _ instance: InstanceID, to descriptor: Int32, _ path: String
  ) throws(Fault) {
    let line = Array((instance.description + "\n").utf8)
    guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, line, line.count, 0) == line.count
    else { throw fault("write", path) }
  }

  private static func fault(_ verb: String, _ path: String) -> Fault {
    Fault(
      description: "cannot \(verb) '\(path)': \(String(cString: strerror(errno)));"
        + " the instance id is new")
  }
}
