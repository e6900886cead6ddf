import Glibc
import SurfDebugger
import SurfViewer
import SurfWire

extension DebuggerRunner {
  func put(_ bytes: [UInt8], into app: SessionID, _ serial: Int, _ file: String?) {
    let answer = answer(serial)
    let completion: @Sendable (MoveAnswer) -> Void = { outcome in
      switch (outcome, file) {
      case (_, nil): answer(outcome)
      case (.applied, let file?):
        unlink(file)
        answer(outcome)
      case (.refused(let text), let file?), (.failed(let text), let file?):
        answer(.failed("\(text); what you wrote is in \(file)"))
      }
    }
    guard let state = Content(state: bytes) else {
      return source.reset(app, to: .initial, state: nil, from: nil, completion: completion)
    }
    source.put(state, from: nil, into: app, completion: completion)
  }

  /// On another thread, because a file system may be slow. So are loads, saves, imports and
  /// exports, but not the file that an editor has changed.
  func examine(_ path: String, for app: SessionID, _ serial: Int?) {
    let queue = queue
    aside { queue.push(FileGlance.event(of: path, for: app, serial)) }
  }

  func check(_ path: String, for app: SessionID, _ serial: Int) {
    let (source, queue) = (source, queue)
    aside {
      let place = HomePath.expanded(path)
      do throws(FileFault) {
        // A pipe can be read only once, and the import does that.
        if !FileGlance.isStream(place) { try source.checkHistory(at: place) }
        queue.push(.filed(serial: serial, .readable))
      } catch {
        queue.push(.filed(serial: serial, .failed(error.text)))
      }
    }
  }

  func complete(_ typed: String) {
    let queue = queue
    aside { queue.push(.names(FolderNames.beginning(with: typed), of: typed)) }
  }

  func importHistory(_ path: String, into app: SessionID, _ serial: Int) {
    let source = source
    let completion = answer(serial)
    aside {
      source.importHistory(from: HomePath.expanded(path), into: app, completion: completion)
    }
  }

  func exportHistory(of app: SessionID, to target: FileTarget) {
    let source = source
    write(target) { path throws(FileFault) in
      let count = try source.exportHistory(of: app, to: path)
      return "exported \(countText(count, "action")) to \(target.path)"
    }
  }

  func set(_ name: String, _ value: String) {
    let (source, queue) = (source, queue)
    asideWriting {
      do throws(FileFault) {
        queue.push(.personal(try source.set(name, to: value)))
        queue.push(.told("\(name) is kept", isFailure: false))
      } catch {
        queue.push(.told(error.text, isFailure: true))
      }
    }
  }
}

/// Completes a path that a person types.
package enum FolderNames {
  /// More names than a person reads.
  private static let countMax = 10_000

  /// The names in `typed`'s folder that start with its last part. Folders end with `/`.
  package static func beginning(with typed: String) -> [String] {
    let shown = typed.lastIndex(of: "/").map { String(typed[...$0]) } ?? ""
    let folder = HomePath.expanded(shown.isEmpty ? "./" : shown)
    let beginning = typed.utf8.dropFirst(shown.utf8.count)
    let found = all(in: folder).lazy.filter { $0.utf8.starts(with: beginning) }
    return found.prefix(countMax).map {
      FileGlance.kind(of: folder + $0) == S_IFDIR ? $0 + "/" : $0
    }
  }

  /// The names in a folder; none if it cannot be read.
  package static func all(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let name, name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}

/// Replaces a leading `~` with the person's home, as shells do.
enum HomePath {
  static func expanded(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home = getenv("HOME") else { return path }
    return String(cString: home) + path.dropFirst()
  }
}

/// Checks a pasted path: does it name a file, and how does it begin?
enum FileGlance {
  /// Octets to show of it.
  private static let sizeMax = 200

  static func event(of path: String, for app: SessionID, _ serial: Int?) -> DebuggerEvent {
    let place = HomePath.expanded(path)
    // A pipe that a person has named can be read only once, and the load does that.
    if serial != nil, isStream(place) {
      return .found(app, path: place, size: 0, beginning: "", serial: serial)
    }
    guard let (size, beginning) = beginning(of: place) else {
      let text = fault(of: path, at: place)
      return serial.map { .filed(serial: $0, .failed(text)) } ?? .told(text, isFailure: true)
    }
    return .found(app, path: place, size: size, beginning: beginning, serial: serial)
  }

  private static func fault(of path: String, at place: String) -> String {
    switch kind(of: place) {
    case nil: "no file is at '\(path)'"
    case S_IFREG: "'\(path)' cannot be read: you have no permission"
    default: "'\(path)' is not a file"
    }
  }

  /// Such as `S_IFREG`; nil if there is nothing.
  static func kind(of path: String) -> mode_t? {
    var facts = stat()
    return stat(path, &facts) == 0 ? facts.st_mode & S_IFMT : nil
  }

  /// Whether it is a pipe, a socket or a device.
  static func isStream(_ path: String) -> Bool {
    kind(of: path).map { ![S_IFREG, S_IFDIR].contains($0) } ?? false
  }

  private static func beginning(of path: String) -> (size: Int, text: String)? {
    // O_NONBLOCK avoids waiting for a pipe's writer.
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
