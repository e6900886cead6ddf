internal import Glibc
internal import SurfThreads

/// Whether a program resumes when it starts, kept as an empty file that exists or not.
package struct LaunchFlag: Sendable {
  private let directory: String
  private let path: String

  /// Nil if there is no directory for the file.
  package init?(of app: String, _ environment: [String: String]) {
    guard let directory = KeptInstance.directory(environment) else { return nil }
    self.directory = directory
    path = directory + "/" + KeptInstance.fileName(app, "launch")
  }

  package var isSet: Bool { access(path, F_OK) == 0 }

  /// Returns why the flag could not be changed; nil on success.
  package func set(_ on: Bool) -> String? {
    if on ? make() : unlink(path) == 0 || errno == ENOENT { return nil }
    return "StateSurf: cannot \(on ? "make" : "remove") '\(path)':"
      + " \(String(cString: strerror(errno))); whether it resumes at launch stays as it was"
  }

  private func make() -> Bool {
    guard FileOctets.makeFolder(directory) else { return false }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }
}
