internal import SurfSockets
internal import SurfStore
internal import Synchronization

/// Whether a store takes actions.
final class Gate: Sendable {
  private let isLocked = Atomic(false)
  private let onRefusal = Guarded<(@Sendable () -> Void)?>(nil)

  func lock(_ on: Bool) { isLocked.store(on, ordering: .releasing) }

  func tellRefusals(_ body: @escaping @Sendable () -> Void) { onRefusal.withLock { $0 = body } }

  /// A restore passes in any case.
  func admits(_ source: ActionSource) -> Bool {
    !isLocked.load(ordering: .acquiring) || source.file == RestoreSource.file.description
  }

  func refused() { onRefusal.withLock { $0 }?() }
}

/// The place in the code that an action of a restore seems to come from: its line is the number of
/// the restore.
enum RestoreSource {
  static let file: StaticString = "DevTools/restore"
}

/// A way to the loop's thread for those who were made before it.
final class Post: Sendable {
  private struct Address { weak var loop: StreamLoop<DevToolsMachine>? }

  let mailbox = StepMailbox()
  private let address = Guarded(Address())

  func connect(_ loop: StreamLoop<DevToolsMachine>) {
    address.withLock { $0.loop = loop }
  }

  func send(_ input: DevToolsMachine.Input) { address.withLock { $0.loop }?.send(input) }

  func leave(_ letter: StepMailbox.Letter) {
    if mailbox.leave(letter) { send(.mail) }
  }
}
