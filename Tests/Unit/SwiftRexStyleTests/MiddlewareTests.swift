import SurfStore
import SwiftRexStyle
import TestSupport
import Testing

/// Notes its calls, and answers some actions with others.
private final class Tracer: Middleware {
  private let name: String
  private let log: Log<String>
  private let answers: [Int: [Int]]
  private var getState: GetState<[Int]>?
  private var output: AnyActionHandler<Int>?

  init(_ name: String, _ log: Log<String>, answers: [Int: [Int]] = [:]) {
    self.name = name
    self.log = log
    self.answers = answers
  }

  func receiveContext(getState: @escaping GetState<[Int]>, output: AnyActionHandler<Int>) {
    self.getState = getState
    self.output = output
    log.append("\(name) context \(getState())")
  }

  func handle(action: Int, from dispatcher: ActionSource, afterReducer: inout AfterReducer) {
    guard let getState else { return log.append("\(name) has no context") }
    log.append("\(name) \(action) \(getState())")
    for answer in answers[action, default: []] { output?.dispatch(answer) }
    afterReducer = .do { [name, log] in log.append("\(name) after \(action) \(getState())") }
  }
}

@Suite struct MiddlewareTests {
  private let log = Log<String>()

  @Test func `a turn runs middlewares, reducer, listeners, after-reducers and effects`() {
    let reducer =
      appending
      <> Reducer { action, _ in
        log.append("reduce \(action)")
        return [.fireAndForget { log.append("effect of \(action)") }]
      }
    let store = Store(
      initial: [], reducer: reducer, middleware: Tracer("a", log) <> Tracer("b", log))
    let observation = store.observe { log.append("step \($0.id)") }
    let subscription = store.subscribe { log.append("state \($0)") }
    store.dispatch(7)
    observation.cancel()
    subscription.cancel()
    #expect(
      log.entries == [
        "a context []", "b context []", "state []", "a 7 []", "b 7 []", "reduce 7", "step 1",
        "state [7]", "b after 7 [7]", "a after 7 [7]", "effect of 7",
      ])
  }

  @Test func `what a middleware dispatches waits for its own turn, and has a cause`() {
    let tracer = Tracer("a", log, answers: [1: [2, 3], 2: [4]])
    let store = Store(initial: [], reducer: appending, middleware: tracer)
    let causes = Log<UInt64?>()
    let observation = store.observe { causes.append($0.cause) }
    store.dispatch(1)
    observation.cancel()
    #expect(store.state == [1, 2, 3, 4])
    #expect(causes.entries == [nil, 1, 1, 2])
    #expect(
      log.entries == [
        "a context []", "a 1 []", "a after 1 [1]", "a 2 [1]", "a after 2 [1, 2]", "a 3 [1, 2]",
        "a after 3 [1, 2, 3]", "a 4 [1, 2, 3]", "a after 4 [1, 2, 3, 4]",
      ])
  }

  @Test func `what is dispatched with the context comes after every context`() {
    final class Starter: Middleware {
      func receiveContext(getState: @escaping GetState<[Int]>, output: AnyActionHandler<Int>) {
        output.dispatch(1)
      }
      func handle(action: Int, from dispatcher: ActionSource, afterReducer: inout AfterReducer) {}
    }
    let store = Store(initial: [], reducer: appending, middleware: Starter() <> Tracer("b", log))
    #expect(store.state == [1])
    #expect(log.entries == ["b context []", "b 1 []", "b after 1 [1]"])
  }

  @Test func `an after-reducer's dispatch has a cause, and a later one has none`() {
    final class Late: Middleware {
      let bell: Bell<Void>
      var output: AnyActionHandler<Int>?
      var ringing: AnyCancellable?
      init(_ bell: Bell<Void>) { self.bell = bell }
      func receiveContext(getState: @escaping GetState<[Int]>, output: AnyActionHandler<Int>) {
        self.output = output
        ringing = bell.sink { output.dispatch(3) }
      }
      func handle(action: Int, from dispatcher: ActionSource, afterReducer: inout AfterReducer) {
        if action == 1 { afterReducer = .do { self.output?.dispatch(2) } }
      }
    }
    let bell = Bell<Void>()
    let store = Store(initial: [], reducer: appending, middleware: Late(bell))
    let causes = Log<UInt64?>()
    let observation = store.observe { step in
      causes.append(step.cause)
      // On the draining thread, but outside the middleware's part of the turn.
      if step.action == 1 { bell.ring(()) }
    }
    store.dispatch(1)
    bell.ring(())
    observation.cancel()
    #expect(store.state == [1, 3, 2, 3])
    #expect(causes.entries == [nil, nil, 1, nil])
  }

  @Test func `a dispatch from another thread during handle has no cause`() {
    final class Crossing: Middleware {
      var output: AnyActionHandler<Int>?
      func receiveContext(getState: @escaping GetState<[Int]>, output: AnyActionHandler<Int>) {
        self.output = output
      }
      func handle(action: Int, from dispatcher: ActionSource, afterReducer: inout AfterReducer) {
        guard action == 1 else { return }
        onAnotherThread { [output] in output?.dispatch(2) }
      }
    }
    let store = Store(initial: [], reducer: appending, middleware: Crossing())
    let causes = Log<UInt64?>()
    let observation = store.observe { causes.append($0.cause) }
    store.dispatch(1)
    observation.cancel()
    #expect(store.state == [1, 2])
    #expect(causes.entries == [nil, nil])
  }

  @Test func `two stores that feed each other keep their causes apart`() {
    final class Feeding: Middleware {
      let other: Store<Int, [Int]>
      var output: AnyActionHandler<Int>?
      init(_ other: Store<Int, [Int]>) { self.other = other }
      func receiveContext(getState: @escaping GetState<[Int]>, output: AnyActionHandler<Int>) {
        self.output = output
      }
      func handle(action: Int, from dispatcher: ActionSource, afterReducer: inout AfterReducer) {
        guard action == 1 else { return }
        other.dispatch(10)
        output?.dispatch(2)
      }
    }
    let second = appendingStore()
    let first = Store(initial: [], reducer: appending, middleware: Feeding(second))
    let causes = Log<UInt64?>()
    let observations = [first, second].map { $0.observe { causes.append($0.cause) } }
    first.dispatch(1)
    for observation in observations { observation.cancel() }
    #expect(causes.entries == [nil, nil, 1])
  }

  @Test func `identities are dropped, and nested compositions flattened`() {
    let a = Tracer("a", log) <> IdentityMiddleware<Int, Int, [Int]>()
    #expect(a.count == 1)
    let nested = (a <> a) <> (IdentityMiddleware() <> (a <> Tracer("b", log)))
    #expect(nested.count == 4)
    let lifted = IdentityMiddleware<Int, Int, [Int]>().lift(state: { (state: [Int]) in state })
    #expect((lifted <> a).count == 1 && (a <> lifted.lift(inputAction: { $0 })).count == 1)
    let none = lifted <> IdentityMiddleware()
    #expect(none.count == 0 && (none.lift(state: { (state: [Int]) in state }) <> a).count == 1)
    #expect((Tracer("a", log).lift(state: { (state: [Int]) in state }) <> lifted).count == 1)
  }

  @Test func `a middleware goes with its store, though it can read the state`() {
    weak var itsLog: Log<String>?
    weak var weakStore: Store<Int, [Int]>?
    do {
      let log = Log<String>()
      itsLog = log
      let store = Store(initial: [], reducer: appending, middleware: Tracer("a", log))
      weakStore = store
      store.dispatch(1)
    }
    #expect(weakStore == nil)
    #expect(itsLog == nil)
  }

  @Test func `output to a store that is gone is dropped`() {
    final class Leaking: Middleware {
      let content: Box<AnyActionHandler<Int>>
      init(_ content: Box<AnyActionHandler<Int>>) { self.content = content }
      func receiveContext(getState: @escaping GetState<[Int]>, output: AnyActionHandler<Int>) {
        content.content = output
      }
      func handle(action: Int, from dispatcher: ActionSource, afterReducer: inout AfterReducer) {}
    }
    let output = Box<AnyActionHandler<Int>>()
    do {
      let store = Store(initial: [], reducer: appending, middleware: Leaking(output))
      output.content?.dispatch(1)
      #expect(store.state == [1])
    }
    output.content?.dispatch(2)
  }

  @Test(.timeLimit(.minutes(10)))
  func `a middleware that never rests lets its callers go, and others have their turns`() async {
    final class Restless: Middleware {
      var output: AnyActionHandler<Int>?
      func receiveContext(getState: @escaping GetState<Int>, output: AnyActionHandler<Int>) {
        self.output = output
      }
      func handle(action: Int, from dispatcher: ActionSource, afterReducer: inout AfterReducer) {
        if action == 1 { output?.dispatch(1) }
      }
    }
    let (turns, continuation) = AsyncStream.makeStream(of: Void.self)
    weak var weakStore: Store<Int, Int>?
    do {
      let store = Store(
        initial: 0, reducer: Reducer<Int, Int> { $1 &+ $0 }, middleware: Restless())
      weakStore = store
      store.dispatch(1)
      #expect(store.state >= 1 << 18)
      store.restore(-1 << 40) { continuation.finish() }
      for await _ in turns {}
      #expect(store.state < 0)
    }
    // Nobody holds it: it goes, although its queue is never empty.
    while weakStore != nil { await Task.yield() }
  }
}
