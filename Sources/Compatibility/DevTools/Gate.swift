internal import SurfStore
internal import SurfThreads
internal import Synchronization

/// Refuses actions while a panel has locked the app, for the store that `DevTools` makes.
final class Gate: Sendable {
  private let isLocked = Atomic(false)
  private let listener = Monitor<Listener<Void>?>(nil)

  func lock(_ on: Bool) { isLocked.store(on, ordering: .releasing) }

  func observeRefusals(by listener: Listener<Void>) {
    self.listener.withLock { $0 = listener }
  }

  /// Whether an action may pass. Restores and emissions of `DevTools` always do, but an action that
  /// a panel dispatches does not.
  func admits(_ source: ActionSource) -> Bool {
    !isLocked.load(ordering: .acquiring) || RestoreSource.made(source) || EmittedSource.made(source)
  }

  func refused() { listener.withLock { $0 }?(()) }
}

/// The fake source location that marks a restoring action. The line is the restore's number.
enum RestoreSource {
  static let file: StaticString = "DevTools/restore"
  static func made(_ source: ActionSource) -> Bool { source.file == file.description }
}

/// The fake source location that marks an action of `DevTools` for the app's reducer. The line is
/// the emission's number.
enum EmittedSource {
  static let file: StaticString = "DevTools/event"
  static func made(_ source: ActionSource) -> Bool { source.file == file.description }
}
