internal import Glibc
internal import SurfThreads
internal import Synchronization

/// Lets the transceivers of a program say goodbye that ends without a call of `suspend()`.
enum AtExit {
  private struct Watched: Sendable {
    weak let recorder: Recorder?
  }

  private static let watched = Monitor<[Watched]>([])
  /// At most once in a process; a forked child has the handler of its parent.
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

  /// A program that calls `exit` in a signal handler may hold any lock: then it ends as it is.
  private static func closeAll() {
    let recorders = watched.withLockIfFree { $0.compactMap(\.recorder) } ?? []
    let open = recorders.filter { $0.isOurs && $0.mailbox.isOpen }
    for recorder in open { recorder.mailbox.close(within: recorder.settings.farewell) }
    for recorder in open { recorder.close() }
  }
}
