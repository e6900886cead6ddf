import StateSurf
import SurfStore
import Testing

// What Sources/Instrumenting.md shows besides a program, line by line: it has been compiled,
// and has run.

enum Clicker: StateSurfable {
  struct State: StateInitializable { var count = 0 }
  enum Action: Codable { case click, undo }
  static let reducer = Reducer<Action, State>.reduce { action, state in
    state.count += action == .click ? 1 : -1
  }
}

@Suite("The examples of the page on instrumenting")
struct ReadmeExamples {
  @Test func datesAndKeysAreOneWord() {
    var configuration = Transceiver.Configuration()
    configuration.coding = .readable
    let history = HistoryTransceiver<Clicker>(name: "Clicker", configuration: configuration)
    #expect(history.store.state.count == 0)
  }

  @Test func `a middleware is one argument`() {
    let bridge = BridgeMiddleware<Clicker.Action, Clicker.Action> { action in
      action == .undo ? [.click] : []
    }
    let history = HistoryTransceiver<Clicker>(
      name: "Clicker", middleware: bridge.lift(state: ignore), cancelsEffectsOnRestore: true)
    history.store.dispatch(.undo)
    #expect(history.store.state.count == 0)
  }

  @Test func theNetworkIsOneWord() {
    var configuration = Transceiver.Configuration()
    configuration.interface = .lan("eth0")
    configuration.acceptsResets = false
    // Silent: it is never resumed.
    let history = HistoryTransceiver<Clicker>(name: "Clicker", configuration: configuration)
    #expect(history.store.state.count == 0)
  }
}
