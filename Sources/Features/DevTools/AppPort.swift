/// What the machine may do to the app, its types erased. Called on the machine's thread.
struct AppPort: Sendable {
  /// Restores a state that is written as JSON, or the one at the start if it is nil, and then
  /// leaves `restored` with the number in the mailbox. Gives why it cannot.
  let restore: @Sendable (String?, _ number: UInt) -> String?
  /// Dispatches an action that is written as JSON or as a JavaScript value. Gives why it cannot.
  let dispatch: @Sendable (String) -> String?
  /// Makes the store refuse actions, or take them again.
  let lock: @Sendable (Bool) -> Void
  let publish: @Sendable (DevToolsState) -> Void
  /// Has a browser look for services; what it sees comes back as input with the number.
  let browse: @Sendable (_ type: String, _ number: UInt) -> any Sendable & AnyObject
  let mailbox: StepMailbox
}
