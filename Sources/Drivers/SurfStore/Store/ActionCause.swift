/// What led to an action that did not come from outside.
@usableFromInline
package enum ActionCause: Equatable, Sendable {
  /// An effect or a middleware of the step with this id dispatched it.
  case step(UInt64)
  /// A subscriber dispatched it when it was told of the state of the restore with this id.
  case restore(UInt64)

  /// The step, if it was one.
  @usableFromInline var step: UInt64? {
    if case .step(let id) = self { id } else { nil }
  }
}
