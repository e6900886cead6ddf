import DevTools
import JSONTree
import SurfStore
import SurfThreads
import SwiftRexStyle
import Testing

/// An app that has DevTools among its own actions and inside its own state.
struct SeedState: Codable, Equatable, Sendable {
  var count = 0
  var devTools: DevToolsState = .initial
}

enum SeedAction: Sendable {
  case counter(CounterAction)
  case devTools(DevToolsAction)
  case restoreState(SeedState)

  var devTools: DevToolsAction? { if case .devTools(let action) = self { action } else { nil } }
}

let seedReducer =
  Reducer<SeedAction, SeedState>.reduce { action, state in
    switch action {
    case .counter(.add(let number)): state.count += number
    case .restoreState(let snapshot): state = snapshot
    default: break
    }
  }
  <> DevToolsState.reducer.lift(action: \.devTools, state: \.devTools)

/// Such an app, and all that its store has done.
final class SeedApp: Sendable {
  let relay: FakeRelay
  let tools: DevTools<SeedAction, SeedState>
  private let dispatched = Monitor<[String]>([])
  private let states = Monitor<[SeedState]>([])
  private let subscriptions: [Subscription]

  var store: Store<SeedAction, SeedState> { tools.store }

  /// Activated by an action of the app's.
  init(
    restores: Bool = false,
    _ configure: (FakeRelay, inout DevToolsEnvironment) -> Void = { _, _ in }
  ) throws {
    relay = try FakeRelay()
    var environment = DevToolsEnvironment.live(
      for: SeedState.self, instanceId: "seed",
      connectionMode: .connectOnLaunch(host: "127.0.0.1", port: relay.port))
    environment.retryDelay = .milliseconds(20)
    environment.resolvePatience = .milliseconds(20)
    configure(relay, &environment)
    let restoreState: @Sendable (SeedState) -> SeedAction = { .restoreState($0) }
    tools = DevTools(
      initial: SeedState(), reducer: seedReducer, environment: environment,
      extractDevToolsAction: {
        if case .devTools(let action) = $0 { return action }
        return nil
      },
      embedDevToolsAction: { SeedAction.devTools($0) }, devToolsState: \SeedState.devTools,
      restoreStateAction: restores ? restoreState : nil)
    let (dispatched, states) = (dispatched, states)
    subscriptions = [
      tools.store.observe { step in
        if let word = Self.word(step.action) { dispatched.withLock { $0.append(word) } }
      },
      tools.store.subscribe { state in states.withLock { $0.append(state) } },
    ]
    store.dispatch(.devTools(.activate))
  }

  /// Waits until the app's own state is so.
  func wait(
    sourceLocation: SourceLocation = #_sourceLocation, for isSo: (SeedState) -> Bool
  ) throws {
    let came = states.wait(until: monotonicNow() + patience) { $0.last.map(isSo) ?? false }
    try #require(came, "is \(store.state)", sourceLocation: sourceLocation)
  }

  /// Waits until the store has done this.
  func wait(
    for word: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let came = dispatched.wait(until: monotonicNow() + patience) { $0.contains(word) }
    try #require(came, "no \(word) in \(words)", sourceLocation: sourceLocation)
  }

  /// Waits until it has sent its history. Before that, the relay reaches nobody, and DevTools' own
  /// thread may still be in the store. There it would do what the app dispatches.
  func enter(sourceLocation: SourceLocation = #_sourceLocation) throws {
    _ = try relay.frames("INIT", sourceLocation: sourceLocation)
  }

  /// The cases that it dispatched for DevTools, by name.
  var words: [String] { dispatched.withLock { $0 } }

  private static func word(_ action: SeedAction) -> String? {
    action.devTools.map { String("\($0)".prefix { $0 != "(" }) }
  }
}
