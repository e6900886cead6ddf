/// What a middleware wants done once the reducer has run, in the same turn and on the same thread.
///
/// After-reducers form a monoid. They unwind like a stack: of two joined by `<>`, the right one
/// runs first, so that the middleware which saw the action first has the last word.
public struct AfterReducer {
  // Empty for most actions, and then no memory is allocated.
  @usableFromInline var bodies: [() -> Void]

  /// Calls `body` when the new state is in place and its subscribers have been told.
  public static func `do`(_ body: @escaping () -> Void) -> AfterReducer {
    AfterReducer(bodies: [body])
  }

  /// Nothing is left to be done.
  public static var doNothing: AfterReducer { AfterReducer(bodies: []) }

  /// Neutral: the same as `doNothing`.
  public static var identity: AfterReducer { doNothing }

  /// Runs `right`, then `left`.
  public static func <> (left: AfterReducer, right: AfterReducer) -> AfterReducer {
    AfterReducer(bodies: left.bodies + right.bodies)
  }

  @inlinable var isNothing: Bool { bodies.isEmpty }

  /// Adds `right` to those that run first.
  static func <>= (left: inout AfterReducer, right: AfterReducer) {
    if !right.bodies.isEmpty { left.bodies += right.bodies }
  }

  /// Calls the bodies, the last one first.
  func run() {
    for body in bodies.reversed() { body() }
  }
}
