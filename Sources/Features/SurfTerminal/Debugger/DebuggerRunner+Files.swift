import SurfDebugger
import SurfObserver
import SurfWire

extension DebuggerRunner {
  func put(_ bytes: [UInt8], into app: SessionID, _ serial: Int) {
    let state = StateFile.content(bytes)
    live.reset(
      app, to: state == nil ? .initial : .elsewhere, state: state, timeout: timeout,
      completion: answer(serial, .state, app))
  }

  /// On a thread of its own, as with all files: a file system may be slow.
  func examine(_ path: String) {
    let queue = queue
    aside { queue.push(.viewer(FileGlance.event(of: path))) }
  }

  func complete(_ typed: String) {
    let queue = queue
    aside { queue.push(.viewer(.names(FolderNames.beginning(with: typed), of: typed))) }
  }
}
