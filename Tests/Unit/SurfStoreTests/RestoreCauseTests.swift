import SurfStore
import TestSupport
import Testing

/// The cause that a store attaches to actions dispatched because of a restore.
@Suite struct RestoreCauseTests {
  private let store = Store<Int, [Int]>(
    initial: [],
    reducer: Reducer { action, state in
      state.append(action)
      return action == 2 ? [.sync { 3 }] : []
    })
  private let seen = Log<[UInt64?]>()

  /// Observes, and answers a state that ends in 1 with `answer`.
  private func listen(_ answer: @escaping @Sendable (Store<Int, [Int]>) -> Void) -> [Subscription] {
    [
      store.observe { [seen] in seen.append([UInt64($0.action), $0.cause, $0.restore]) },
      store.subscribe { [weak store] state in
        if let store, state.last == 1 { answer(store) }
      },
    ]
  }

  @Test func `what a subscriber dispatches when told of a restore names the restore`() {
    let tokens = listen { $0.dispatch(2) }
    store.revise({ _ in [1] }, id: 7)
    store.dispatch(5)
    #expect(seen.entries == [[2, nil, 7], [3, 1, nil], [5, nil, nil]])
    for token in tokens { token.cancel() }
  }

  @Test func `what a subscriber dispatches when told of a step names nothing`() {
    let tokens = listen { $0.dispatch(2) }
    store.dispatch(1)
    store.restore([1])
    #expect(seen.entries.map { $0[2] } == [nil, nil, nil, nil, nil])
    for token in tokens { token.cancel() }
  }

  @Test func `an effect that a subscriber runs when told of a restore names the restore`() {
    let tokens = listen { _ = $0.run(.sync { 4 }) }
    store.revise({ _ in [1] }, id: 8)
    #expect(seen.entries == [[4, nil, 8]])
    for token in tokens { token.cancel() }
  }

  @Test func `what another thread dispatches meanwhile names nothing`() {
    let tokens = listen { store in onAnotherThread { store.dispatch(6) } }
    store.revise({ _ in [1] }, id: 9)
    #expect(seen.entries == [[6, nil, nil]])
    for token in tokens { token.cancel() }
  }

  @Test func `what waits while a restore is told is not taken for its child`() {
    let tokens = listen { store in
      if store.state == [1] { store.revise({ _ in [1, 1] }, id: 11) }
      store.dispatch(2)
    }
    store.revise({ _ in [1] }, id: 10)
    #expect(seen.entries.filter { $0[0] == 2 } == [[2, nil, 10], [2, nil, 11]])
    #expect(store.state.suffix(2) == [3, 3])
    for token in tokens { token.cancel() }
  }
}
