import StateSurf
import SurfLive
import SurfPersistence
import SurfStore
import SwiftRexStyle
import Synchronization
import Testing

// What the pages of Sources show besides a program, line by line: it has been compiled,
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
    configuration.coding = .foundation
    let history = HistoryTransceiver<Clicker>(name: "Clicker", configuration: configuration)
    #expect(history.store.state.count == 0)
  }

  @Test func `actions that come often are named by patterns`() {
    var configuration = Transceiver.Configuration()
    configuration.thinning.coalesced = ["tick", "cursor.*"]
    configuration.thinning.interval = .milliseconds(250)
    configuration.thinning.sampled = ["clock", "cursor.position", "bodies.*.angle"]
    let settings = Settings(name: "Clock", configuration: configuration, environment: [:])
    #expect(settings?.warnings == [])
  }

  @Test func `secrets are named by paths, or marked`() {
    struct Account: Codable {
      var user = ""
      @Redacted var token = ""
    }
    var configuration = Transceiver.Configuration()
    configuration.redacted = ["login.password", "users.*.pin", "**.secret", "request.key"]
    let history = HistoryTransceiver<Clicker>(name: "Clicker", configuration: configuration)
    #expect(history.store.state.count == 0)
    #expect("\(Account())".contains("redacted string"))
  }

  @Test func `a middleware is one more line`() {
    let bridge = BridgeMiddleware<Clicker.Action, Clicker.Action> { action in
      action == .undo ? [.click] : []
    }
    let history = HistoryTransceiver<Clicker>(name: "Clicker", cancelsEffectsOnRestore: true)
    history.store.install(bridge.lift(state: ignore))
    history.store.dispatch(.undo)
    #expect(history.store.state.count == 0)
  }

  private struct Cart: Encodable {
    let items: Int
    let total: Double
  }

  private struct Shop {
    @Inspected("cart") var cart = Cart(items: 0, total: 0)
  }

  @Test func `lines of a log, and a request`() {
    let bench = Bench()
    let transceiver = bench.transceiver()
    transceiver.resume()
    transceiver.log("low disk", level: .warning, attributes: ["path": "/"])
    transceiver.log("cart", attributes: Cart(items: 3, total: 12.5))
    transceiver.log("saved", level: .init(named: "notice"))
    let request = transceiver.request(method: "GET", url: "https://a.example/prices")
    request.finished(status: 200, receivedSize: 512)
    transceiver.flush(timeout: .seconds(60))
    #expect(bench.sink.records.count == 5)
    #expect(bench.sink.records[2].name == "[notice] saved")
  }

  @Test func `a program without a store stands still`() {
    let bench = Bench()
    let transceiver = bench.transceiver()
    let isHeld = Atomic(false)
    transceiver.onLock { isHeld.store($0, ordering: .relaxed) }
    transceiver.resume()
    for isOn in [true, false] {
      #expect(bench.perform(#"{"command":"lock","on":\#(isOn)}"#) == .applied)
      #expect(isHeld.load(ordering: .relaxed) == isOn)
    }
  }

  @Test func `values, a property and a scope`() {
    let bench = Bench()
    let transceiver = bench.transceiver()
    transceiver.resume()
    transceiver.inspect("cart", Cart(items: 3, total: 12.5))
    // Not made: it would show its cart by the transceiver of whichever test resumed first.
    _ = Shop.self
    transceiver.scope("request") { scope in
      scope.inspect("url", "https://a.example/prices")
    }
    transceiver.flush(timeout: .seconds(60))
    #expect(
      bench.sink.records.map(\.name) == ["cart", "request/url", "request"])
  }

  @Test func `a state survives by one line`() throws {
    let history = HistoryTransceiver<Clicker>(name: "Clicker")
    let watch = try history.store.persist(in: Persistence(name: "Clicker.json"))
    watch.cancel()
    #expect(history.store.state.count == 0)
  }

  @Test func `a saved state can be row 0`() throws {
    let saved = try Persistence(name: "Clicker.json").load(default: Clicker.State())
    let history = HistoryTransceiver<Clicker>(initial: saved)
    #expect(history.store.state.count == 0)
  }

  @Test func theNetworkIsOneWord() {
    var configuration = Transceiver.Configuration()
    configuration.interface = .lan("eth0")
    configuration.acceptsResets = false
    let history = HistoryTransceiver<Clicker>(name: "Clicker", configuration: configuration)
    // Silent: it was never resumed.
    #expect(history.store.state.count == 0)
  }
}
