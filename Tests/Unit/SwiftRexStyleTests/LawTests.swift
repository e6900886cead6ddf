import SurfStore
import SwiftRexStyle
import Synchronization
import TestSupport
import Testing

/// What must hold for all reducers, middlewares and projections, tried on random ones.
@Suite struct LawTests {
  private static let caseCount = 100

  /// Changes a number in a way that depends on the order of everything.
  private func reducer(_ random: inout SeededGenerator) -> Reducer<Int, Int> {
    let factor = Int.random(in: 2...9, using: &random)
    let term = Int.random(in: 0...9, using: &random)
    let answered = Int.random(in: 0...9, using: &random)
    return Reducer { action, state in
      state = state &* factor &+ action &+ term
      return action % 10 == answered && action < 100 ? [.sync { action &+ 100 &+ term }] : []
    }
  }

  /// Every step of a store with it.
  private func trace(_ reducer: Reducer<Int, Int>) -> [[Int]] {
    let log = Log<[Int]>()
    let store = Store(initial: 1, reducer: reducer)
    let observation = store.observe { log.append([$0.action, $0.state, Int($0.cause ?? 0)]) }
    for action in 0..<20 { store.dispatch(action) }
    observation.cancel()
    return log.entries
  }

  @Test func `reducers are a monoid`() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<Self.caseCount {
      let (a, b, c) = (reducer(&random), reducer(&random), reducer(&random))
      let expected = trace((a <> b) <> c)
      #expect(trace(a <> (b <> c)) == expected)
      #expect(trace(combine(a, b, c)) == expected)
      #expect(trace(.identity <> a) == trace(a))
      #expect(trace(a <> .identity) == trace(a))
      #expect(expected.count >= 20)
    }
  }

  private struct Inner: Sendable { var number = 1, other = 0 }
  private struct Outer: Sendable { var inner = Inner(), other = 0 }

  @Test func `lifts compose`() {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<Self.caseCount {
      let local = reducer(&random)
      let shift = Int.random(in: 0...5, using: &random)
      let inner: @Sendable (Int) -> Int? = { $0 >= shift ? $0 - shift : nil }
      let outer: @Sendable (Int) -> Int? = { $0 % 2 == 0 ? $0 / 2 : nil }
      let twice = local.lift(action: inner, embed: { $0 + shift }, state: \Inner.number)
        .lift(action: outer, embed: { $0 * 2 }, state: \Outer.inner)
      let once = local.lift(
        action: { outer($0).flatMap(inner) }, embed: { ($0 + shift) * 2 },
        state: \Outer.inner.number)
      let logs = [twice, once].map { reducer in
        let log = Log<[Int]>()
        let store = Store(initial: Outer(), reducer: reducer)
        let observation = store.observe { log.append([$0.action, $0.state.inner.number]) }
        for action in 0..<20 { store.dispatch(action) }
        observation.cancel()
        return log.entries
      }
      #expect(logs[0] == logs[1])
    }
  }

  /// Answers some actions, and leaves an after-reducer for some.
  private final class Answering: Middleware {
    private let name: Int
    private let modulus: Int
    private let log: Log<Int>
    private var output: AnyActionHandler<Int>?

    init(_ name: Int, _ modulus: Int, _ log: Log<Int>) {
      self.name = name
      self.modulus = modulus
      self.log = log
    }

    func receiveContext(getState: @escaping GetState<Int>, output: AnyActionHandler<Int>) {
      self.output = output
      log.append(name)
    }

    func handle(action: Int, from dispatcher: ActionSource, afterReducer: inout AfterReducer) {
      log.append(action &* 10 &+ name)
      if action % modulus == 0, action < 50 { output?.dispatch(action + 50) }
      guard action % modulus == 1 else { return }
      let first = AfterReducer.do { [log, name] in log.append(-name) }
      let second = AfterReducer.do { [log, name] in log.append(-10 * name) }
      let composed = AfterReducer.identity <> first <> .identity <> second
      afterReducer = composed
    }
  }

  private enum Grouping: CaseIterable { case left, right, withIdentities }

  private func trace(_ moduli: [Int], _ grouping: Grouping) -> [Int] {
    let log = Log<Int>()
    let parts = moduli.enumerated().map { Answering($0.offset + 1, $0.element, log) }
    let none = IdentityMiddleware<Int, Int, Int>()
    let joined =
      switch grouping {
      case .left: (parts[0] <> parts[1]) <> parts[2]
      case .right: parts[0] <> (parts[1] <> parts[2])
      case .withIdentities: (none <> parts[0]) <> (parts[1] <> (none <> (parts[2] <> none)))
      }
    let store = Store(initial: 0, reducer: Reducer<Int, Int> { $1 &+ $0 }, middleware: joined)
    for action in 0..<20 { store.dispatch(action) }
    return log.entries
  }

  @Test func `middlewares and after-reducers are monoids`() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<Self.caseCount {
      let moduli = (0..<3).map { _ in Int.random(in: 2...6, using: &random) }
      let traces = Grouping.allCases.map { trace(moduli, $0) }
      #expect(traces[0] == traces[1])
      #expect(traces[0] == traces[2])
      #expect(traces[0].count > 60)
    }
  }

  @Test func `a projection of a projection is the projection by both`() {
    var random = SeededGenerator(seed: 4)
    for _ in 0..<Self.caseCount {
      let (a, b) = (Int.random(in: 2...5, using: &random), Int.random(in: 2...5, using: &random))
      let inner: @Sendable (Int) -> Int? = { $0 % a == 0 ? nil : $0 + 1 }
      let outer: @Sendable (Int) -> Int? = { $0 % b == 0 ? nil : $0 * 2 }
      let logs = [true, false].map { isTwice in
        let store = Store(initial: 0, reducer: Reducer<Int, Int> { $1 &+ $0 })
        let projection =
          isTwice
          ? store.projection(action: inner, state: { $0 / a })
            .projection(action: outer, state: { $0 / b })
          : store.projection(action: { outer($0).flatMap(inner) }, state: { $0 / a / b })
        let log = Log<Int>()
        let subscription = projection.statePublisher.sink(log.append)
        for action in 0..<20 { projection.dispatch(action) }
        subscription.cancel()
        return log.entries + [store.state]
      }
      #expect(logs[0] == logs[1])
    }
  }
}
