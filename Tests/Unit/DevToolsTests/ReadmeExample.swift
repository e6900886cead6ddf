import DevTools
import SurfStore
import Testing

// The example of Sources/ReduxDevTools.md, line by line: what a reader copies has been compiled, and
// has run.

private enum Tally {
  struct State: Codable { var count = 0 }
  enum Action: Codable { case increment }
  static let reducer = Reducer<Action, State>.reduce { _, state in state.count += 1 }
}

@Suite struct ReadmeExample {
  @Test func aStoreIsConnectedToARelay() {
    let relay = ConnectionMode.connectOnLaunch(host: "localhost", port: 8000)
    let devTools = DevTools(
      initial: Tally.State(), reducer: Tally.reducer,
      environment: .live(for: Tally.State.self, connectionMode: relay))
    devTools.store.dispatch(.increment)
    #expect(devTools.store.state.count == 1)
    #expect(devTools.state.connectionStatus == .disconnected)
  }
}
