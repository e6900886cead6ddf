internal import SurfStore
internal import Synchronization

/// Turns the actions of a local reducer's effects into global ones, for a lifted reducer. Without
/// `transform` it drops them.
struct Embedding<Local: Sendable, Global: Sendable>: Sendable {
  private let transform: (@Sendable (Local) -> Global)?
  private let dropped: DroppedActions

  init(_ transform: (@Sendable (Local) -> Global)?, _ dropped: DroppedActions) {
    self.transform = transform
    self.dropped = dropped
  }

  init(_ transform: (@Sendable (Local) -> Global)?, _ file: StaticString, _ line: UInt) {
    self.init(transform, DroppedActions(file, line))
  }

  func embed(_ effects: [Effect<Local>]) -> [Effect<Global>] {
    guard !effects.isEmpty else { return [] }
    guard let transform else { return effects.map { $0.muted { dropped.note($0) } } }
    return effects.map { $0.map(transform) }
  }
}

/// Warns once that effects of a reducer send actions, although the reducer was lifted without
/// `embed`.
package final class DroppedActions: Sendable {
  private let source: ActionSource
  private let printer: @Sendable (String) -> Void
  private let wasSaid = Atomic(false)

  package init(
    _ file: StaticString, _ line: UInt,
    printer: @escaping @Sendable (String) -> Void = Printer.standardError
  ) {
    source = ActionSource(file: file, line: line)
    self.printer = printer
  }

  package func note(_ action: some Sendable) {
    guard !wasSaid.exchange(true, ordering: .relaxed) else { return }
    printer(
      """
      \(source): an effect of this reducer sent an action, which was dropped: \(action)
        A reducer whose effects send actions must be lifted with `embed`.
      """)
  }
}
