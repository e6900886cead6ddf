import Glibc
import SurfDebugger
import SurfViewer
import SurfWire

extension DebuggerRunner {
  func put(_ bytes: [UInt8], into app: SessionID, _ serial: Int, _ file: String?) {
    let answer = answer(serial)
    reset(app, to: Content(state: bytes)) { outcome in
      switch (outcome, file) {
      case (_, nil): answer(outcome)
      case (.applied, let file?):
        unlink(file)
        answer(outcome)
      case (.failed(let text), let file?): answer(.failed("\(text); what you wrote is in \(file)"))
      }
    }
  }

  func reset(
    _ app: SessionID, to state: Content?, completion: @escaping @Sendable (MoveAnswer) -> Void
  ) {
    guard let state else {
      return source.reset(app, to: .initial, state: nil, from: nil, completion: completion)
    }
    source.put(state, from: nil, into: app, completion: completion)
  }

  /// On a thread of its own, as with all files: a file system may be slow.
  func examine(_ path: String, for app: SessionID) {
    let queue = queue
    aside { queue.push(FileGlance.event(of: path, for: app)) }
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

  func exportHistory(of app: SessionID, to path: String) {
    let (source, queue) = (source, queue)
    asideWriting {
      do throws(FileFault) {
        let count = try source.exportHistory(of: app, to: HomePath.expanded(path))
        queue.push(.told("exported \(count) rows to \(path)", isFailure: false))
      } catch {
        queue.push(.told(error.text, isFailure: true))
      }
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
