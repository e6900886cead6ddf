internal import SurfStore
internal import SurfStreams
internal import SurfThreads
internal import Synchronization

/// Refuses actions while a panel has locked the app, for the store that `DevTools` makes.
final class Gate: Sendable {
  /// A struct, because Swift rewraps a closure that is a generic value at each access.
  private struct Listener {
    let body: @Sendable () -> Void
  }

  private let isLocked = Atomic(false)
  private let listener = Monitor<Listener?>(nil)

  func lock(_ on: Bool) { isLocked.store(on, ordering: .releasing) }

  func observeRefusals(_ body: @escaping @Sendable () -> Void) {
    listener.withLock { $0 = Listener(body: body) }
  }

  /// Whether an action may pass. Restores and emissions of `DevTools` always do, but an action that
  /// a panel dispatches does not.
  func admits(_ source: ActionSource) -> Bool {
    !isLocked.load(ordering: .acquiring) || RestoreSource.made(source) || EmittedSource.made(source)
  }

  func refused() { listener.withLock { $0 }?.body() }
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

/// Carries letters and inputs to the loop for `StoreLink`, which exists before the loop does.
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
