internal import SurfStore
internal import SurfStreams
internal import SurfThreads
internal import Synchronization

/// Whether a store takes actions.
final class Gate: Sendable {
  /// In a struct: Swift wraps a closure that is itself the value of a generic type once more at
  /// each access.
  private struct Witness {
    let hear: @Sendable () -> Void
  }

  private let isLocked = Atomic(false)
  private let witness = Monitor<Witness?>(nil)

  func lock(_ on: Bool) { isLocked.store(on, ordering: .releasing) }

  func tellRefusals(_ body: @escaping @Sendable () -> Void) {
    witness.withLock { $0 = Witness(hear: body) }
  }

  /// What `DevTools` itself dispatches passes in any case.
  func admits(_ source: ActionSource) -> Bool {
    !isLocked.load(ordering: .acquiring) || RestoreSource.made(source) || EmittedSource.made(source)
  }

  func refused() { witness.withLock { $0 }?.hear() }
}

/// The place in the code that an action of a restore seems to come from: its line is the number of
/// the restore.
enum RestoreSource {
  static let file: StaticString = "DevTools/restore"
  static func made(_ source: ActionSource) -> Bool { source.file == file.description }
}

/// The place in the code that an action of `DevTools` for the app's reducer seems to come from:
/// its line is the number of the emission.
enum EmittedSource {
  static let file: StaticString = "DevTools/event"
  static func made(_ source: ActionSource) -> Bool { source.file == file.description }
}

/// A way to the loop's thread for objects that were made before it.
final class Post<Action: Sendable, State: Sendable>: Sendable {
  typealias Loop = StreamLoop<DevToolsMachine<Action, State>>

  private struct Address { weak var loop: Loop? }

  let mailbox = StepMailbox<Action, State>()
  private let address = Monitor(Address())

  func connect(_ loop: Loop) {
    address.withLock { $0.loop = loop }
  }

  func send(_ input: DevToolsMachine<Action, State>.Input) {
    address.withLock { $0.loop }?.send(input)
  }

  func leave(_ letter: StepMailbox<Action, State>.Letter) {
    if mailbox.leave(letter) { send(.mail) }
  }
}
