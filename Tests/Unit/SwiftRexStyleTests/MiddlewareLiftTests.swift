import SurfStore
import SwiftRexStyle
import TestSupport
import Testing

@Suite struct MiddlewareLiftTests {
  /// Doubles what it is shown, and knows the state as text.
  private final class Doubling: Middleware {
    let log: Log<String>
    var getState: GetState<String>?
    var output: AnyActionHandler<Int>?
    init(_ log: Log<String>) { self.log = log }
    func receiveContext(getState: @escaping GetState<String>, output: AnyActionHandler<Int>) {
      self.getState = getState
      self.output = output
    }
    func handle(action: Int, from dispatcher: ActionSource, afterReducer: inout AfterReducer) {
      log.append("\(action) at \(getState?() ?? "nowhere")")
      if action < 10 { output?.dispatch(action * 2) }
    }
  }

  private let log = Log<String>()

  @Sendable private static func number(_ text: String) -> Int? { Int(text) }
  @Sendable private static func text(_ number: Int) -> String { "\(number)" }
  @Sendable private static func joined(_ state: [String]) -> String {
    state.joined(separator: " ")
  }

  private func run<State: Sendable>(
    _ middleware: sending some Middleware<String, String, State>, initial: State,
    _ reducer: Reducer<String, State>
  ) -> [String] {
    let store = Store(initial: initial, reducer: reducer, middleware: middleware)
    store.dispatch("x")
    store.dispatch("6")
    return log.entries
  }

  private let list = Reducer<String, [String]>.reduce { $1.append($0) }
  private let sentence = Reducer<String, String>.reduce { $1 += " \($0)" }

  @Test func `all three are translated`() {
    let lifted = Doubling(log).lift(
      inputAction: Self.number, outputAction: Self.text, state: Self.joined)
    #expect(run(lifted, initial: [], list) == ["6 at x", "12 at x 6"])
  }

  @Test func `both actions are translated`() {
    let lifted = Doubling(log).lift(inputAction: Self.number, outputAction: Self.text)
    #expect(run(lifted, initial: "", sentence) == ["6 at  x", "12 at  x 6"])
  }

  @Test func `one and the state is translated, then the other`() {
    let inside = Doubling(log).lift(inputAction: Self.number, state: Self.joined)
    let lifted = inside.lift(outputAction: Self.text)
    #expect(run(lifted, initial: [], list) == ["6 at x", "12 at x 6"])
  }

  @Test func `the other and the state is translated, then the one`() {
    let inside = Doubling(log).lift(outputAction: Self.text, state: Self.joined)
    let lifted = inside.lift(inputAction: Self.number)
    #expect(run(lifted, initial: [], list) == ["6 at x", "12 at x 6"])
  }

  @Test func `each is translated alone`() {
    let lifted = Doubling(log).lift(state: Self.joined).lift(inputAction: Self.number)
      .lift(outputAction: Self.text)
    #expect(run(lifted, initial: [], list) == ["6 at x", "12 at x 6"])
  }
}
