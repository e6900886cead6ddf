internal import SurfStore
internal import SurfStreams
internal import SurfThreads

/// Carries steps from the app's threads to the thread of `DevTools`, which encodes them.
///
/// The app's threads leave copies of actions and states, and never wait for the reader. A full
/// mailbox drops its oldest steps, which the history would evict anyway. It exists before the loop,
/// which it wakes.
final class StepMailbox<Action: Sendable, State: Sendable>: Sendable {
  enum Letter: Sendable {
    /// The state that the history begins with. It contains the effect of all earlier letters.
    case initial(State)
    /// An action and the state after it. The time is in milliseconds since 1970, here and below.
    case step(Action, State, at: Int64)
    /// An action that changed nothing, because a validator objected.
    case rejection(Action, Objection, at: Int64)
    /// An action for `DevTools` that the app dispatched in its store.
    case action(DevToolsAction)
    /// The app's store took or rejected the emission with this number.
    case emitted(UInt)
    /// The restore with this number has succeeded, after all earlier letters.
    case restored(UInt)
    /// The restore with this number has failed, unless `restored` came first.
    case settled(UInt)
    /// The locked store refused an action.
    case refused
  }

  typealias Loop = StreamLoop<DevToolsMachine<Action, State>>

  private struct Box {
    var letters: [Letter] = []
    var dropped = 0
    weak var loop: Loop?
  }

  static var countMax: Int { 2_000 }

  private let box = Monitor(Box())

  func connect(_ loop: Loop) {
    box.withLock { $0.loop = loop }
  }

  func send(_ input: DevToolsMachine<Action, State>.Input) {
    box.withLock { $0.loop }?.send(input)
  }

  func leave(_ letter: Letter) {
    let wasEmpty = box.withLock { box in
      if box.letters.count >= Self.countMax {
        // Drops half in one go, so that a flood does not shift the array for each step.
        let half = box.letters.prefix(Self.countMax / 2)
        let others = half.filter { if case .step = $0 { false } else { true } }
        box.dropped += half.count - others.count
        box.letters.removeSubrange(..<half.endIndex)
        box.letters.insert(contentsOf: others.prefix(Self.countMax / 4), at: 0)
      }
      box.letters.append(letter)
      return box.letters.count == 1
    }
    if wasEmpty { send(.mail) }
  }

  /// The letters since the last call, and the number of dropped steps.
  func take() -> (letters: [Letter], dropped: Int) {
    box.withLock { box in
      defer { (box.letters, box.dropped) = ([], 0) }
      return (box.letters, box.dropped)
    }
  }
}
