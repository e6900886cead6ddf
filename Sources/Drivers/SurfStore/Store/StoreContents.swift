/// What turns change: the state, the count of steps and the middleware.
///
/// Only the thread that has the baton changes it, and under the lock. That thread reads it without
/// the lock, all others under it.
///
/// It is apart from `StoreCore`, which any thread changes: code that reads one property of a struct
/// may copy the whole struct.
@usableFromInline
// Unchecked: the baton and the lock guard what `values` points to, as said above.
final class StoreContents<Action: Sendable, State: Sendable>: @unchecked Sendable {
  @usableFromInline
  struct Values {
    @usableFromInline var state: State
    @usableFromInline var stepCount: UInt64 = 0
    @usableFromInline var middleware: StoreMiddleware<Action, State>? {
      didSet { isPlain = isUnguarded && middleware == nil }
    }
    /// Whether an action meets nothing but the reducer: no gate, no validator, no middleware.
    @usableFromInline private(set) var isPlain: Bool
    private let isUnguarded: Bool

    init(state: State, isUnguarded: Bool) {
      self.state = state
      self.isUnguarded = isUnguarded
      isPlain = isUnguarded
    }
  }

  // Not properties: Swift would check each access to those once more.
  @usableFromInline let values = UnsafeMutablePointer<Values>.allocate(capacity: 1)

  init(state: State, isUnguarded: Bool) {
    values.initialize(to: Values(state: state, isUnguarded: isUnguarded))
  }

  deinit {
    values.deinitialize(count: 1)
    values.deallocate()
  }
}
