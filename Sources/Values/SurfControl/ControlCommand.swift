import JSONTree

/// What a viewer asks an app to do with its history, besides being in a state of it
/// (Protocol.md §11.5).
package enum ControlCommand: Equatable, Sendable {
  /// Run this action through the app's own reducer.
  case dispatch(JSON)
  /// Leave an action out, or take it in again; nil turns it round.
  case toggle(row: UInt64, skipped: Bool?)
  /// Put an action before another; nil puts it last.
  case reorder(row: UInt64, before: UInt64?)
  /// Forget the actions that are left out.
  case sweep
  /// Let history begin with the state of now.
  case commit
  /// Return to the state that history begins with, and forget what came after.
  case rollback
  /// Return to the state at the start, and forget what came after.
  case reset
  /// Record nothing, or record again.
  case pause(Bool)
  /// Refuse the app's own actions, or take them again.
  case lock(Bool)
  /// Replace the history.
  case replace(ForeignHistory)
  /// Tell what no action tells: the initial state.
  case describe

  /// The word on the wire.
  package var word: String {
    switch self {
    case .dispatch: "dispatch"
    case .toggle: "toggle"
    case .reorder: "reorder"
    case .sweep: "sweep"
    case .commit: "commit"
    case .rollback: "rollback"
    case .reset: "reset"
    case .pause: "pause"
    case .lock: "lock"
    case .replace: "import"
    case .describe: "describe"
    }
  }
}

/// A history that was recorded elsewhere: in a file, or by a panel.
package struct ForeignHistory: Equatable, Sendable {
  /// One step of it.
  package struct Step: Equatable, Sendable {
    /// What happened, in words.
    package var name: String
    /// The action itself, if it can be run again.
    package var action: JSON?
    /// The state after it; nil if the app is to compute it by the action.
    package var state: JSON?
    /// Whether it is left out.
    package var isSkipped: Bool

    /// A step, taken in unless said otherwise.
    package init(name: String, action: JSON?, state: JSON?, isSkipped: Bool = false) {
      self.name = name
      self.action = action
      self.state = state
      self.isSkipped = isSkipped
    }
  }

  /// The state that it begins with; nil for the app's own beginning.
  package var committed: JSON?
  /// Oldest first.
  package var steps: [Step]
  /// The step whose state the app is to be in, from 0; nil for the one it begins with.
  package var current: Int?

  /// A history, which need not be consistent: who carries it out looks at the bounds.
  package init(committed: JSON?, steps: [Step], current: Int?) {
    self.committed = committed
    self.steps = steps
    self.current = current
  }
}

/// Why bytes are no command, or no revision.
package enum ControlError: Error, Equatable, Sendable, CustomStringConvertible {
  /// No JSON at all.
  case syntax(JSONError)
  /// A word that this version does not know.
  case unknown(String)
  /// A member that is missing, or not of its type.
  case member(String, of: String)

  /// For people: what is wrong, and where.
  package var description: String {
    switch self {
    case .syntax(let error): "not JSON: \(error)"
    case .unknown(let word): "there is no command '\(word)'"
    case .member(let name, let word): "'\(word)' has no usable \"\(name)\""
    }
  }
}
