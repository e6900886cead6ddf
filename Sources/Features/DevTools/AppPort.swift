internal import JSONTree
internal import SurfStore

/// What the machine may do to the app. Called on the machine's thread.
struct AppPort<Action: Sendable, State: Sendable>: Sendable {
  /// Puts the app into a state, and then leaves `restored` with the number in the mailbox, or
  /// `settled` if nothing came of it. Where the state as it was told has marks, the app keeps its
  /// values.
  let restore: @Sendable (State, _ told: JSON?, _ number: UInt) -> Void
  let dispatch: @Sendable (Action) -> Void
  /// Dispatches what concerns `DevTools`, and then leaves `emitted` with the number in the mailbox;
  /// nil if the app does not reduce it.
  let emit: (@Sendable (DevToolsAction, _ number: UInt) -> Void)?
  /// Makes the store refuse actions, or take them again.
  let lock: @Sendable (Bool) -> Void
  let publish: @Sendable (DevToolsState) -> Void
  /// Has a browser look for services; what it sees comes back as input with the number.
  let browse: @Sendable (_ type: String, _ number: UInt) -> any Sendable & AnyObject
  let mailbox: StepMailbox<Action, State>
  /// Runs actions again; nil if only the store has the reducer.
  let reducer: Reducer<Action, State>?
  /// What the app has against a state.
  let objection: @Sendable (State) -> Objection?
}
