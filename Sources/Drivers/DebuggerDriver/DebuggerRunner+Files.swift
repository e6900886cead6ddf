import SurfDebugger
import SurfViewer
import SurfWire

extension DebuggerRunner {
  func put(_ bytes: [UInt8], into app: SessionID, _ serial: Int) {
    reset(app, to: Content(state: bytes), completion: answer(serial))
  }

  func reset(
    _ app: SessionID, to state: Content?, completion: @escaping @Sendable (MoveAnswer) -> Void
  ) {
    source.reset(
      app, to: state == nil ? .initial : .elsewhere, state: state, completion: completion)
  }

  /// On a thread of its own, as with all files: a file system may be slow.
  func examine(_ path: String) {
    let queue = queue
    aside { queue.push(FileGlance.event(of: path)) }
  }

  func complete(_ typed: String) {
    let queue = queue
    aside { queue.push(.names(FolderNames.beginning(with: typed), of: typed)) }
  }
}
