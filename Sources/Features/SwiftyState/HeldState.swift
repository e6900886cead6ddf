/// What the store holds: the state, and what subscribers must know of the last change.
struct HeldState: Sendable {
  let state: (any SwiftyStateStoreProtocol)?
  let previous: (any SwiftyStateStoreProtocol)?
  /// Whether the state is not equal to the one before.
  let isChange: Bool
  /// Whether subscribers are to be told.
  let isNews: Bool

  /// Before a store is set.
  static let none = HeldState(state: nil, previous: nil, isChange: false, isNews: false)

  /// With the next state; `isForced` makes it news even if it is equal.
  func followed(by next: any SwiftyStateStoreProtocol, isForced: Bool = true) -> HeldState {
    let isChange = state.map { !next.isEqual(to: $0) } ?? true
    return HeldState(
      state: next, previous: state, isChange: isChange, isNews: isForced || isChange)
  }
}
