import Foundation
import JSONTree
import SurfDebugger
import SurfTTY
import SurfTimeline
import SurfWire

/// The person's editor, which has the terminal while it runs.
extension DebuggerRunner {
  func openSource(_ source: String) {
    let environment = ProcessInfo.processInfo.environment
    let place = SourcePlace(source)
    let folders =
      ["."]
      + (environment["STATESURF_SOURCES"] ?? "").split(separator: ":")
      .map { HomePath.expanded(String($0)) }
    guard let file = place.file(in: folders, exists: { access($0, R_OK) == 0 }) else {
      let told = "there is no '\(place.path)' in \(folders.joined(separator: ", ")):"
      return send(.told("\(told) STATESURF_SOURCES names folders", isFailure: true))
    }
    do throws(Failure) {
      try runEditor(["+\(place.line)", file])
    } catch {
      send(.told(error.what, isFailure: true))
    }
  }

  func edit(_ row: SequenceNumber, of app: SessionID) {
    let state = live.read { $0[app]?.timeline.state(of: row) }
    guard let state, let json = JSON(ifValid: state.bytes) else {
      let reason = state == nil ? "is not here" : "is not JSON"
      return send(.told("the state of row \(row) \(reason)", isFailure: true))
    }
    let bytes = Array((json.text(.pretty) + "\n").utf8)
    do throws(Failure) {
      edit(try PrivateFile.write(bytes, suffix: ".json"), unless: bytes, app)
    } catch {
      send(.told(error.what, isFailure: true))
    }
  }

  /// - Parameter former: what the file had; if it still does, nothing is loaded.
  func edit(_ path: String, unless former: [UInt8]?, _ app: SessionID) {
    do throws(Failure) {
      try runEditor([path])
      let bytes = try StateFile.read(path)?.bytes ?? []
      do throws(JSONError) {
        let json = try JSON(parsing: bytes)
        unlink(path)
        guard bytes != former else {
          return send(.told("unchanged: nothing was loaded", isFailure: false))
        }
        send(.edited(app, .changed(Array(json.text(.compact).utf8))))
      } catch {
        send(.edited(app, .invalid("\(error)", path: path)))
      }
    } catch {
      send(.told("\(error.what); the state is in \(path)", isFailure: true))
    }
  }

  /// As Git does: the shell takes the command apart.
  private func runEditor(_ words: [String]) throws(Failure) {
    let environment = ProcessInfo.processInfo.environment
    let editors = [environment["VISUAL"], environment["EDITOR"]].compactMap(\.self)
    let editor = editors.first { !$0.isEmpty } ?? "vi"
    let end = try lend(to: ["/bin/sh", "-c", "\(editor) \"$@\"", "sh"] + words)
    guard end == .exited(0) else { throw Failure("\(editor) \(end)") }
  }

  private func lend(to words: [String]) throws(Failure) -> JobEnd {
    do throws(TerminalError) {
      return try terminal.lend(to: words) { !queue.holdsSignal }
    } catch {
      throw Failure("\(error)")
    }
  }
}
