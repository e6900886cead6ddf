import DevTools
import JSONTree
import SurfStore
import SurfThreads
import Testing

/// Every suite that opens sockets hangs below this one, so that no two run at the same time.
@Suite(.serialized, .timeLimit(.minutes(10)))
enum WithRelay {}

struct Counter: Codable, Equatable, Sendable {
  var count = 0
}

enum CounterAction: Codable, Equatable, Sendable {
  case increment
  case add(Int)
  case devTools
  case restore(Counter)
}

let counterReducer = Reducer<CounterAction, Counter>.reduce { action, state in
  switch action {
  case .increment: state.count += 1
  case .add(let number): state.count += number
  case .devTools: break
  case .restore(let counter): state = counter
  }
}

/// An app, its connection and the relay that it connects to.
final class Rig: Sendable {
  let relay: FakeRelay
  let tools: DevTools<CounterAction, Counter>
  let states = Monitor<[DevToolsState]>([])
  private let subscription: Subscription

  var store: Store<CounterAction, Counter> { tools.store }

  /// Activated, unless the mode is manual.
  init(
    _ kind: FakeRelay.Kind = .socketIO, relay: FakeRelay? = nil, history: Int = 200,
    isExact: Bool = true, _ configure: (inout DevToolsEnvironment) -> Void = { _ in }
  ) throws {
    let relay = try relay ?? FakeRelay(kind)
    self.relay = relay
    var environment = DevToolsEnvironment.live(
      for: Counter.self, instanceId: "counter", instanceName: "Counter", maxHistorySize: history,
      transport: kind == .socketIO ? .socketIO : .socketCluster,
      connectionMode: .connectOnLaunch(host: "127.0.0.1", port: relay.port))
    environment.retryDelay = .milliseconds(20)
    environment.resolvePatience = .milliseconds(300)
    configure(&environment)
    tools =
      isExact
      ? DevTools(initial: Counter(), reducer: counterReducer, environment: environment)
      : DevTools(Store(initial: Counter(), reducer: counterReducer), environment: environment)
    let states = states
    subscription = tools.subscribe { state in states.withLock { $0.append(state) } }
    tools.dispatch(.activate)
  }

  func dispatch(_ actions: CounterAction...) { for action in actions { store.dispatch(action) } }

  /// Waits until the shown state fits.
  @discardableResult
  func wait(
    sourceLocation: SourceLocation = #_sourceLocation, for isSo: (DevToolsState) -> Bool
  ) throws -> DevToolsState {
    let came = states.wait(until: monotonicNow() + patience) { $0.last.map(isSo) ?? false }
    try #require(came, "is \(tools.state)", sourceLocation: sourceLocation)
    return tools.state
  }

  func waitUntilConnected(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try wait(sourceLocation: sourceLocation) { $0.connectionStatus.isConnected }
  }

  /// Waits until the app is in this state.
  func wait(count: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let seen = Monitor<[Int]>([])
    let subscription = store.subscribe { state in seen.withLock { $0.append(state.count) } }
    defer { subscription.cancel() }
    let came = seen.wait(until: monotonicNow() + patience) { $0.last == count }
    try #require(came, "is \(store.state)", sourceLocation: sourceLocation)
  }
}

extension DevToolsState.ConnectionStatus {
  var isConnected: Bool { if case .connected = self { true } else { false } }
}

func state(_ count: Int) -> JSON { .string("{\"count\":\(count)}") }
