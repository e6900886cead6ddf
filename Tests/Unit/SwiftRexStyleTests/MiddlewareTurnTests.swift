import Dispatch
import SurfStore
import SwiftRexStyle
import TestSupport
import Testing

@Suite struct MiddlewareConcurrencyTests {
  /// Counts without a lock: the store must call it one thread at a time.
  private final class Counting: Middleware {
    var count = 0
    var getState: GetState<[Int]>?
    var output: AnyActionHandler<Int>?
    let log: Log<Int>
    init(_ log: Log<Int>) { self.log = log }

    func receiveContext(getState: @escaping GetState<[Int]>, output: AnyActionHandler<Int>) {
      self.getState = getState
      self.output = output
    }

    func handle(action: Int, from dispatcher: ActionSource, afterReducer: inout AfterReducer) {
      count += 1
      let before = getState?().count
      if action >= 0, action % 10 == 0 { output?.dispatch(-1) }
      afterReducer = .do { [self] in
        if getState?().count != count || before != count - 1 { log.append(count) }
      }
    }
  }

  @Test func `eight threads and a middleware lose nothing, and recorded order is applied order`() {
    let faults = Log<Int>()
    let store = Store(initial: [], reducer: appending, middleware: Counting(faults))
    let steps = Log<Step<Int, Int>>()
    let subscription = store.observe { step in
      steps.append(
        Step(
          id: step.id, action: step.action, state: step.state.count, source: step.source,
          cause: step.cause))
    }
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for index in 0..<1_000 { store.dispatch(index) }
    }
    subscription.cancel()
    let list = steps.entries
    #expect(faults.entries.isEmpty)
    #expect(list.count == 8_800)
    #expect(store.state == list.map(\.action))
    #expect(list.map(\.id) == Array(1...8_800))
    for step in list where step.action == -1 {
      let cause = step.cause.map { list[Int($0) - 1].action }
      #expect(cause.map { $0 % 10 } == 0)
    }
    #expect(list.filter { $0.cause != nil }.count == 800)
  }
}

/// A middleware's view of an action that a validator rejects.
@Suite struct RejectedMiddlewareTests {
  private static let rules = [Validator<[Int]>("no seven") { !$0.contains(7) }]

  @Test func `The after-reducer of a rejected action finds the old state`() {
    let found = Log<[Int]>()
    let store = Store(
      initial: [], reducer: appending, middleware: Witness(found), validators: Self.rules)
    for action in [1, 7] { store.dispatch(action) }
    #expect(found.entries == [[1], [1]])
  }

  /// The rejected action would have been the second step, and so is what it led to.
  @Test func `What a middleware derives from a rejected action has no cause`() {
    let bridge = BridgeMiddleware<Int, Int> { $0 == 7 || $0 == 1 ? [$0 + 1] : [] }
    let store = Store(
      initial: [], reducer: appending, middleware: bridge.lift(state: ignore),
      validators: Self.rules)
    let causes = Log<UInt64?>()
    let subscription = store.observe { causes.append($0.cause) }
    store.dispatch(7)
    store.dispatch(1)
    #expect(store.state == [8, 1, 2])
    #expect(causes.entries == [nil, nil, 2])
    subscription.cancel()
  }
}

/// Notes the state after each action.
private final class Witness: Middleware {
  private let found: Log<[Int]>
  private var getState: GetState<[Int]>?

  init(_ found: Log<[Int]>) { self.found = found }

  func receiveContext(getState: @escaping GetState<[Int]>, output: AnyActionHandler<Int>) {
    self.getState = getState
  }

  func handle(action: Int, from dispatcher: ActionSource, afterReducer: inout AfterReducer) {
    afterReducer = .do { [found, getState] in
      if let getState { found.append(getState()) }
    }
  }
}
