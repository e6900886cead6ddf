internal import Glibc
internal import SurfThreads
internal import Synchronization

/// Lets transceivers say goodbye when a program ends without calling `suspend()`.
enum AtExit {
  private struct Watched: Sendable {
    weak let recorder: Recorder?
  }

  private static let watched = Monitor<[Watched]>([])
  /// Installed once per process. A forked child inherits its parent's handler.
  private static let isInstalled: Bool = {
    atexit { AtExit.closeAll() }
    return true
  }()

  static func watch(_ recorder: Recorder) {
    _ = isInstalled
    watched.withLock { watched in
      watched.removeAll { $0.recorder == nil || $0.recorder === recorder }
      watched.append(Watched(recorder: recorder))
    }
  }

  /// Does nothing if the lock is taken: `exit` in a signal handler may have interrupted its owner.
  private static func closeAll() {
    let recorders = watched.withLockIfFree { $0.compactMap(\.recorder) } ?? []
    let open = recorders.filter { $0.isOurs && $0.mailbox.isOpen }
    for recorder in open { recorder.mailbox.close(within: recorder.settings.farewell) }
    for recorder in open { recorder.close() }
  }
}
