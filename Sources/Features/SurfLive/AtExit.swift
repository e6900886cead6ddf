internal import Glibc
internal import SurfThreads
internal import Synchronization

/// Closes the transceivers of a program that ends without calling `suspend()`, so that they say
/// goodbye.
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

  /// If the program called `exit` in a signal handler, its thread may hold the lock. Then this does
  /// nothing.
  private static func closeAll() {
    let recorders = watched.withLockIfFree { $0.compactMap(\.recorder) } ?? []
    let open = recorders.filter { $0.isOurs && $0.mailbox.isOpen }
    for recorder in open { recorder.mailbox.close(within: recorder.settings.farewell) }
    for recorder in open { recorder.close() }
  }
}
