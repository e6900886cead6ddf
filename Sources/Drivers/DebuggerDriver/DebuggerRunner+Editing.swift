import Glibc
import JSONTree
import SurfDebugger
import SurfThreads
import SurfTimeline
import SurfWire

/// Runs the person's editor, and lends it the terminal meanwhile.
extension DebuggerRunner {
  func openSource(_ source: String, in named: [String]) {
    let place = SourcePlace(source)
    let folders = ["."] + named.map { HomePath.expanded($0) }
    guard let file = place.file(in: folders, exists: { access($0, R_OK) == 0 }) else {
      let told = "there is no '\(place.path)' in \(folders.joined(separator: ", ")):"
      return send(
        .told("\(told) STATESURF_SOURCES or the setting 'sources' names folders", isFailure: true))
    }
    do throws(FileFault) {
      try runEditor(["+\(place.line)", file])
    } catch {
      send(.told(error.text, isFailure: true))
    }
  }

  func edit(_ row: SequenceNumber, of app: SessionID) {
    let state = self.source.read { $0[app]?.timeline.state(of: row) }
    guard let state, let json = JSON(ifValid: state.bytes) else {
      let reason = state == nil ? "is not here" : "is not JSON"
      return send(.told("the state of row \(row) \(reason)", isFailure: true))
    }
    let bytes = Array((json.text(.pretty) + "\n").utf8)
    do throws(FileFault) {
      edit(try PrivateFile.write(bytes, suffix: ".json"), unless: bytes, app)
    } catch {
      send(.told(error.text, isFailure: true))
    }
  }

  /// - Parameter former: the file's first contents. If it still has them, nothing is loaded.
  func edit(_ path: String, unless former: [UInt8]?, _ app: SessionID) {
    do throws(FileFault) {
      try runEditor([path])
      let bytes = try self.source.loadState(from: path).bytes
      do throws(JSONError) {
        let json = try JSON(parsing: bytes)
        guard bytes != former else {
          unlink(path)
          return send(.told("unchanged: nothing was loaded", isFailure: false))
        }
        send(.edited(app, .changed(Array(json.text(.compact).utf8), path: path)))
      } catch {
        send(.edited(app, .invalid("\(error)", path: path)))
      }
    } catch {
      send(.told("\(error.text); the state is in \(path)", isFailure: true))
    }
  }

  /// Lets a shell split the editor's command, as Git does. On a hangup, the shell waits for the
  /// editor and returns its status.
  private func runEditor(_ words: [String]) throws(FileFault) {
    let editors = ["VISUAL", "EDITOR"].compactMap(variable)
    let editor = editors.first { !$0.isEmpty } ?? "vi"
    let end: JobEnd
    do throws(TerminalError) {
      end = try terminal.lend(
        to: ["/bin/sh", "-c", "trap : HUP; \(editor) \"$@\"", "sh"] + words
      ) { queue.ending == nil }
    } catch {
      throw FileFault("\(error)")
    }
    guard end == .exited(0) else { throw FileFault("\(editor) \(end)") }
  }
}

/// The value of an environment variable.
private func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

/// A source place as an app reports it: `PrimeTime/Main.swift:73`. Not to be trusted.
package struct SourcePlace: Equatable {
  package let path: String
  package let line: Int

  package init(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let number = parts.count > 1 ? Int(parts[parts.count - 1]) : nil
    line = max(1, number ?? 1)
    path = number == nil ? text : parts.dropLast().joined(separator: ":")
  }

  /// The file. An absolute path stays as it is. Another one is sought in each folder, in its
  /// `Sources` and `Demo`, and in the folder by its bare name, because Swift puts the module before
  /// it.
  package func file(in folders: [String], exists: (String) -> Bool) -> String? {
    guard !path.isEmpty else { return nil }
    if path.hasPrefix("/") { return exists(path) ? path : nil }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let places = [path, "Sources/\(path)", "Demo/\(path)", name]
    // The folder before it keeps a name from being taken for an option.
    return folders.flatMap { folder in places.map { "\(folder)/\($0)" } }.first(where: exists)
  }
}

/// Creates a file that no other user can read: for states in an editor, and copies that are too
/// large for the clipboard.
package enum PrivateFile {
  /// - Parameter suffix: the end of the file's name, such as `.json`.
  package static func write(_ bytes: [UInt8], suffix: String) throws(FileFault) -> String {
    var template = Array("\(folder)/statesurf-XXXXXX\(suffix)".utf8CString)
    // mkstemps(3) creates it with mode 0600.
    let descriptor = mkstemps(&template, Int32(suffix.utf8.count))
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard descriptor >= 0 else { throw .cannotWrite(path) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let isWritten = FileOctets.write(bytes, to: descriptor)
    let fault = FileFault.cannotWrite(path)
    guard close(descriptor) == 0, isWritten else {
      unlink(path)
      throw fault
    }
    return path
  }

  /// XDG_RUNTIME_DIR if usable (XDG Base Directory Specification), else TMPDIR or `/tmp`.
  private static var folder: String {
    let folders = ["XDG_RUNTIME_DIR", "TMPDIR"].compactMap(variable)
    return folders.first { $0.hasPrefix("/") && access($0, W_OK) == 0 } ?? "/tmp"
  }
}
