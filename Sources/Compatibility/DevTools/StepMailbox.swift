internal import SurfStore
internal import SurfThreads

/// Steps on their way from the app's thread to the one that encodes them.
///
/// The app's thread leaves copies of the action and the state, and never waits. When too many wait,
/// the oldest is dropped: it would be evicted from history anyway.
final class StepMailbox<Action: Sendable, State: Sendable>: Sendable {
  enum Letter: Sendable {
    /// The state that history begins with: what came before it is part of it.
    case initial(State)
    /// An action and the state after it, in milliseconds since 1970.
    case step(Action, State, at: Int64)
    /// An action that changed nothing, because a validator objected; the time as above.
    case rejection(Action, Objection, at: Int64)
    /// An action for `DevTools` that the app dispatched among its own.
    case action(DevToolsAction)
    /// The app's store took the emission with this number, or rejected it.
    case emitted(UInt)
    /// The restore with this number has taken place; what came before it happened before it.
    case restored(UInt)
    /// The restore with this number has taken place, or never will.
    case settled(UInt)
    /// The store refused an action, for it is locked.
    case refused
  }

  private struct Box {
    var letters: [Letter] = []
    var dropped = 0
  }

  /// Enough that a burst of actions is not lost.
  static var countMax: Int { 2_000 }

  private let box = Monitor(Box())

  /// True if the box was empty, and the caller must tell the reader.
  func leave(_ letter: Letter) -> Bool {
    box.withLock { box in
      if box.letters.count >= Self.countMax {
        // Half at once, so that a flood does not move the rest for each step.
        let half = box.letters.prefix(Self.countMax / 2)
        let others = half.filter { if case .step = $0 { false } else { true } }
        box.dropped += half.count - others.count
        box.letters.removeSubrange(..<half.endIndex)
        box.letters.insert(contentsOf: others.prefix(Self.countMax / 4), at: 0)
      }
      box.letters.append(letter)
      return box.letters.count == 1
    }
  }

  /// What came since the last call, and how many steps were dropped.
  func take() -> (letters: [Letter], dropped: Int) {
    box.withLock { box in
      defer { box = Box() }
      return (box.letters, box.dropped)
    }
  }
}
