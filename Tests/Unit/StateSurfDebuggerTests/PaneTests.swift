import Foundation
import StateSurf
import StateSurfDebugger
import SurfStore
import Testing

/// The debugger as a part of a program's own screen.
@Suite struct PaneTests {
  enum Counter: StateSurfable {
    struct State: StateInitializable, Equatable { var count = 0 }
    enum Action: String, Codable, Sendable { case increment, decrement }
    static let reducer = Reducer<Action, State>.reduce { action, state in
      state.count += action == .increment ? 1 : -1
    }
    static let validators: [Validator<State>] = [
      Validator("not negative") { $0.count >= 0 }
    ]
  }

  private let history: HistoryTransceiver<Counter>

  /// On an interface that is not there: no network takes part.
  init() {
    var configuration = Transceiver.Configuration()
    configuration.interface = .lan("nosuch0")
    configuration.registersDNSSD = false
    configuration.coding = .readable
    history = HistoryTransceiver(name: "Pane", configuration: configuration)
  }

  private func pane(columns: Int = 180, rows: Int = 30) throws -> DebuggerPane {
    history.resume()
    return try DebuggerPane(history.transceiver, columns: columns, rows: rows)
  }

  private func text(_ pane: DebuggerPane) -> String {
    pane.lines.map(\.text).joined(separator: "\n")
  }

  /// Refreshes until it is so.
  private func wait(_ pane: DebuggerPane, until isSo: (String) -> Bool) -> Bool {
    for _ in 0..<1_000 {
      pane.refresh()
      if isSo(text(pane)) { return true }
      usleep(20_000)
    }
    return false
  }

  private func type(_ keys: String, _ pane: DebuggerPane) { pane.receive(Array(keys.utf8)) }

  @Test func `rows are there that were recorded before, without a network`() throws {
    history.resume()
    for _ in 1...3 { history.store.dispatch(.increment) }
    let pane = try pane()
    #expect(wait(pane) { $0.contains("3 records") && $0.contains("is at row 3") })
    for _ in 1...4 { history.store.dispatch(.increment) }
    #expect(wait(pane) { $0.contains("7 records") && $0.contains("is at row 7") })
    #expect(text(pane).contains("~ count: 6 → 7"))
  }

  @Test func `no row is missed that comes while others are read`() throws {
    let pane = try pane()
    for _ in 1...1_000 {
      history.store.dispatch(.increment)
      pane.refresh()
    }
    #expect(wait(pane) { $0.contains("1000 records") && $0.contains("is at row 1000") })
    #expect(!text(pane).contains("lost"))
  }

  @Test func `what only the command has is refused in words`() throws {
    let pane = try pane()
    for keys in ["v", ":settings\r", ":export\r"] {
      type(keys, pane)
      #expect(wait(pane) { $0.contains("\n only `statesurf` can do this") }, "\(keys)")
      type("k", pane)
      #expect(wait(pane) { !$0.contains("only `statesurf` can do this") }, "\(keys)")
    }
  }

  @Test func `states larger than a packet are whole`() throws {
    history.resume()
    let text = String(repeating: "long ", count: 100_000)
    history.transceiver.log("much", attributes: ["text": text])
    history.store.dispatch(.increment)
    let pane = try pane()
    #expect(wait(pane) { $0.contains("2 records") && $0.contains("is at row 2") })
    type("k]]", pane)
    #expect(wait(pane) { $0.contains("long long") })
  }

  @Test func `the person moves the program, and every viewer sees by whom`() throws {
    history.resume()
    for _ in 1...3 { history.store.dispatch(.increment) }
    let pane = try pane()
    try #require(wait(pane) { $0.contains("is at row 3") })
    type("kks", pane)
    try #require(wait(pane) { $0.contains("is at row 1 ·") && $0.contains("moved the app") })
    let count = history.store.state.count
    #expect(count == 1)
    #expect(text(pane).contains("its own debugger moved the app"))
    type("u", pane)
    try #require(wait(pane) { $0.contains("is at row 3") })
    let back = history.store.state.count
    #expect(back == 3)
  }

  @Test func `a frozen program refuses its own actions, and goes on from a row`() throws {
    history.resume()
    for _ in 1...3 { history.store.dispatch(.increment) }
    let pane = try pane()
    try #require(wait(pane) { $0.contains("is at row 3") })
    type("Z", pane)
    try #require(wait(pane) { $0.contains("the app is locked") && $0.contains("· locked") })
    history.store.dispatch(.increment)
    try #require(wait(pane) { $0.contains("refused while locked: increment") })
    let frozen = history.store.state.count
    #expect(frozen == 3)
    type("gjc", pane)
    try #require(wait(pane) { $0.contains("the app goes on from row 1") })
    history.store.dispatch(.increment)
    let count = history.store.state.count
    #expect(count == 2)
    #expect(wait(pane) { $0.contains("unlocked by its own debugger") })
  }

  @Test func `an action that a validator rejects is red`() throws {
    history.resume()
    history.store.dispatch(.decrement)
    // The line of the cursor has one look.
    history.store.dispatch(.increment)
    let pane = try pane()
    try #require(wait(pane) { $0.contains("rejected: decrement") })
    let runs = pane.lines.flatMap(\.runs).filter { $0.text.contains("rejected: decrement") }
    let red = 1
    #expect(runs.contains { $0.colour == red })
  }

  @Test func `q closes it, and other sizes are drawn`() throws {
    let pane = try pane(columns: 60, rows: 15)
    let lines = pane.lines
    #expect(lines.count == 15)
    #expect(lines.allSatisfy { $0.text.count == 60 })
    pane.resize(columns: 5, rows: 2)
    #expect(pane.lines.count == 2)
    #expect(!pane.isClosed)
    type("q", pane)
    #expect(pane.isClosed)
    pane.refresh()
  }

  @Test func `a signal opens one debugger`() throws {
    let debugger = AppDebugger(history.transceiver)
    try debugger.opens(on: SIGUSR2)
    #expect(throws: AppDebuggerError.signalTaken) {
      try AppDebugger(history.transceiver).opens(on: SIGUSR2)
    }
  }

  @Test func `a program that records nothing has no debugger`() {
    #expect(throws: AppDebuggerError.notRecording) {
      try DebuggerPane(history.transceiver, columns: 80, rows: 24)
    }
    #expect(throws: AppDebuggerError.notRecording) {
      try AppDebugger(history.transceiver).run()
    }
  }
}
