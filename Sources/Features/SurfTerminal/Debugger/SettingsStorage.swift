import Glibc
import SurfDebugger
import SurfThreads

/// Reads and writes the user's settings file for the debugger.
package struct SettingsStorage: Sendable {
  let environment: [String: String]
  let options: DebuggerOptions
  let viewerName: String

  package init(
    environment: [String: String], options: DebuggerOptions = DebuggerOptions(), viewerName: String
  ) {
    self.environment = environment
    self.options = options
    self.viewerName = viewerName
  }

  package var personal: PersonalSettings {
    PersonalSettings(
      SettingsPlace(environment)?.read(), environment: environment, options: options,
      viewerName: viewerName)
  }

  /// Serializes changes: each rewrites the whole file.
  private static let writing = Monitor(())

  /// Changes one setting in the file, and creates the file if needed. Throws, without a change, if
  /// the value is not valid.
  package func set(_ name: String, _ value: String) throws(Failure) -> PersonalSettings {
    let end = String(value.reversed().drop(while: \.isWhitespace).reversed())
    let trimmed = String(end.trimmingPrefix(while: \.isWhitespace))
    let result = Self.writing.withLock { _ -> Result<PersonalSettings, Failure> in
      do throws(Failure) { return .success(try write(name, trimmed)) } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func write(_ name: String, _ value: String) throws(Failure) -> PersonalSettings {
    guard let place = SettingsPlace(environment) else {
      throw Failure("there is no home for a file of settings")
    }
    let file = place.read() ?? SettingsFile("", path: place.path)
    if let reason = file.unreadable { throw Failure(reason) }
    if let complaint = file.complaint(about: value, as: name) { throw Failure(complaint) }
    let text = SettingsFile.text(file.text, with: name, set: value)
    guard text.utf8.count <= SettingsFile.sizeMax else {
      throw Failure("'\(place.path)' would be too large")
    }
    try make(FileDestination.directory(of: place.path))
    try StateFile.write(Array(text.utf8), to: place.path)
    return personal
  }

  private func make(_ folder: String) throws(Failure) {
    for slash in folder.indices.dropFirst() where folder[slash] == "/" {
      let part = String(folder[..<slash])
      guard access(part, F_OK) == 0 || mkdir(part, 0o700) == 0 || errno == EEXIST else {
        throw StateFile.cannot("make", part)
      }
    }
  }
}
