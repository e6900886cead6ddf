import SurfDebugger
import SurfTTY
import SurfTimeline
import SurfViewer
import SurfWire

extension DebuggerRunner {
  /// A terminal does not say whether it took it.
  func copy(_ request: CopyRequest) {
    guard let bytes = bytes(of: request.content) else {
      return send(.told("\(request.title) is no longer here", isFailure: true))
    }
    let size = byteText(bytes.count)
    if terminal.copy(bytes) {
      return send(.told("\(request.title) (\(size)) sent to the terminal", isFailure: false))
    }
    do throws(Failure) {
      let path = try PrivateFile.write(bytes, suffix: ".txt")
      send(
        .told("\(request.title) (\(size)) is too large for a terminal: \(path)", isFailure: false))
    } catch {
      send(.told(error.what, isFailure: true))
    }
  }

  private func bytes(of content: CopyRequest.Content) -> [UInt8]? {
    switch content {
    case .bytes(let bytes): bytes
    case .row(let app, let number):
      live.read { catalog -> [UInt8]? in
        guard let instance = catalog[app], let row = instance.timeline.row(number) else {
          return nil
        }
        let members = EventJSON.members([.state, .payload], of: row, in: instance.timeline)
        return EventJSON.line(row, of: instance, adding: members)
      }
    }
  }
}
