import Glibc
import SurfBasics
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
    let trimmed = String(value.trimming(where: \.isWhitespace))
    return try Self.writing.withLock { (_) throws(Failure) in try write(name, trimmed) }
  }

  private func write(_ name: String, _ value: String) throws(Failure) -> PersonalSettings {
    guard let place = SettingsPlace(environment) else {
      throw Failure("there is nowhere to keep a settings file")
    }
    let file = place.read() ?? SettingsFile("", path: place.path)
    if let reason = file.unreadable { throw Failure(reason) }
    if let complaint = file.complaint(about: value, as: name) { throw Failure(complaint) }
    let text = SettingsFile.text(file.text, with: name, set: value)
    guard text.utf8.count <= SettingsFile.sizeMax else {
      throw Failure("'\(place.path)' would be too large")
    }
    let folder = FileDestination.directory(of: place.path).dropLast()
    guard FileOctets.makeFolder(folder) else { throw StateFile.cannot("make", String(folder)) }
    try StateFile.write(Array(text.utf8), to: place.path)
    return personal
  }
}

/// The place of the user's settings file (XDG Base Directory Specification).
struct SettingsPlace {
  let path: String

  /// Nil if the environment names no home directory.
  init?(_ environment: [String: String]) {
    guard let folder = environment.folder("XDG_CONFIG_HOME", home: ".config") else { return nil }
    path = folder + "/statesurf/settings"
  }

  /// Nil if there is no file. A file that cannot be read sets nothing, and has a remark that says
  /// so. The command runs anyway.
  func read() -> SettingsFile? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      return errno == ENOENT || errno == ENOTDIR ? nil : unreadable(systemError())
    }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      return unreadable("it is not a regular file")
    }
    guard let bytes = FileOctets.read(from: descriptor, sizeMax: SettingsFile.sizeMax) else {
      return unreadable(systemError())
    }
    guard bytes.count <= SettingsFile.sizeMax else { return unreadable("it is too large") }
    // Rewriting the file would lose the bytes that are not text.
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return unreadable("it is not in UTF-8")
    }
    return SettingsFile(text, path: path)
  }

  private func unreadable(_ reason: String) -> SettingsFile {
    SettingsFile(path: path, unreadable: reason)
  }
}
