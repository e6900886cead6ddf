import Glibc
import JSONTree
import SurfDebugger
import SurfTTY
import SurfTimeline
import SurfWire

/// The person's editor, which has the terminal while it runs.
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

  /// - Parameter former: what the file had; if it still does, nothing is loaded.
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

  /// As Git does: the shell takes the command apart. When it is told to end, it waits for the
  /// editor, and tells how that ended.
  private func runEditor(_ words: [String]) throws(FileFault) {
    let editors = ["VISUAL", "EDITOR"].compactMap(Self.variable)
    let editor = editors.first { !$0.isEmpty } ?? "vi"
    let end = try lend(to: ["/bin/sh", "-c", "trap : HUP; \(editor) \"$@\"", "sh"] + words)
    guard end == .exited(0) else { throw FileFault("\(editor) \(end)") }
  }

  private func lend(to words: [String]) throws(FileFault) -> JobEnd {
    do throws(TerminalError) {
      return try terminal.lend(to: words) { queue.ending == nil }
    } catch {
      throw FileFault("\(error)")
    }
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}

/// A place in a source as an app tells it: `PrimeTime/Main.swift:73`. A stranger wrote it.
package struct SourcePlace: Equatable {
  package let path: String
  /// From 1.
  package let line: Int

  package init(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let number = parts.count > 1 ? Int(parts[parts.count - 1]) : nil
    line = max(1, number ?? 1)
    path = number == nil ? text : parts.dropLast().joined(separator: ":")
  }

  /// Where it is: as it stands; or in one of these folders, in their `Sources`, or there without
  /// the module that Swift puts before the file's name.
  package func file(in folders: [String], exists: (String) -> Bool) -> String? {
    guard !path.isEmpty else { return nil }
    if path.hasPrefix("/") { return exists(path) ? path : nil }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let places = [path, "Sources/\(path)", "Demo/\(path)", name]
    // With its folder before it, no name is taken for an option.
    return folders.flatMap { folder in places.map { "\(folder)/\($0)" } }.first(where: exists)
  }
}
