/// The state in which an app took an action, if that is not the last one before it that a record
/// carries, or if a restore led to the action (Protocol.md §8.1).
package struct Growth: Hashable, Sendable {
  /// Whose state the app was in; a record before the action's own.
  package let origin: Position
  /// Of the restore that led to the action, its number among the app's moves (§11.7); 0: of none.
  package let move: WireCount

  package init(from origin: Position, move: WireCount = 0) {
    self.origin = origin
    self.move = move
  }
}
