import StateSurf
import SurfControl
import SurfStore
import SurfWire
import Synchronization
import Testing

/// The commands of a program that has handlers, and no store.
@Suite struct PlainCommandTests {
  private struct Room: Codable, Sendable, Equatable { var degrees = 20 }

  private let bench = Bench()

  private var announced: [Heartbeat.Control] {
    bench.sink.events.compactMap { if case .announced(let control) = $0 { control } else { nil } }
  }

  private func revision(_ index: Int) throws -> Revision {
    try #require(bench.sink.waitForRecords(index + 1))
    return try #require(bench.sink.records[index].revision)
  }

  @Test func `a program that names its initial state tells it to a viewer that asks`() throws {
    let transceiver = bench.transceiver()
    transceiver.onReset(initial: Room()) { _ in }
    transceiver.resume()
    #expect(bench.configurations.last?.control.contains(.takesCommands) == true)
    #expect(bench.configurations.last?.control.contains(.replays) == false)
    #expect(bench.perform(#"{"command":"describe"}"#) == .applied)
    let told = try revision(0)
    #expect(told.initial == ["degrees": 20] && told.replay == .approximate)
    #expect(bench.sink.records[0].name == "initial state asked for by ada")
  }

  @Test func `a viewer holds the program still, and lets it go on`() throws {
    let transceiver = bench.transceiver()
    let calls = Mutex<[Bool]>([])
    transceiver.onLock { isLocked in calls.withLock { $0.append(isLocked) } }
    transceiver.resume()
    for (index, isOn) in [true, true, false].enumerated() {
      #expect(bench.perform(#"{"command":"lock","on":\#(isOn)}"#) == .applied)
      #expect(try revision(index).isLocked == isOn)
      #expect(announced.last?.contains(.locked) == isOn)
      #expect(announced.last?.contains(.takesCommands) == true)
    }
    #expect(calls.withLock(\.self) == [true, true, false])
    // It has named no state, and a viewer must not wait for one.
    #expect(reason(of: bench.perform(#"{"command":"describe"}"#)).hasSuffix("'onReset(initial:)'"))
    #expect(bench.sink.records.count == 3)
    // The program has no handler of states.
    let refusal = reason(of: bench.restore("1", at: .record(1), request: 9))
    #expect(refusal == "this program takes no states; it can with 'transceiver.onReset(initial:)'")
  }

  private func reason(of result: Outcome.Result?) -> String {
    if case .rejected(let reason)? = result { reason } else { "" }
  }

  @Test func `a program that cannot be held says what lets it`() {
    let transceiver = bench.transceiver()
    transceiver.onReset(initial: Room()) { _ in }
    transceiver.resume()
    let refusal = reason(of: bench.perform(#"{"command":"lock","on":true}"#))
    #expect(refusal.contains("call 'transceiver.onLock { isHeld in … }' before 'resume()'"))
  }

  @Test(arguments: [
    #"{"command":"dispatch","action":"a"}"#, #"{"command":"toggle","row":1}"#,
    #"{"command":"commit"}"#, #"{"command":"rollback"}"#, #"{"command":"reset"}"#,
    #"{"command":"sweep"}"#, #"{"command":"pause"}"#, #"{"command":"import","steps":[]}"#,
    #"{"command":"reorder","row":1}"#, #"{"command":"lock"}"#, #"{"command":"no"}"#, "{",
  ])
  func `what needs a store is refused, changes nothing and has a reason`(command: String) {
    let transceiver = bench.transceiver()
    transceiver.onReset(initial: Room()) { _ in Issue.record("no state came") }
    transceiver.resume()
    guard case .rejected(let reason)? = bench.perform(command) else {
      Issue.record("\(command) was taken")
      return
    }
    let isLock = command.contains("lock")
    #expect(!reason.isEmpty && reason.contains("onLock") == isLock, "\(reason)")
    #expect(bench.sink.records.isEmpty && announced.allSatisfy { !$0.contains(.locked) })
  }

  /// Handlers come in any order, and a store keeps its own commands.
  @Test func `handlers do not displace one another`() throws {
    let transceiver = bench.transceiver()
    let rooms = Mutex<[Room]>([])
    transceiver.onLock { _ in }
    transceiver.onReset(initial: Room()) { room in rooms.withLock { $0.append(room) } }
    transceiver.onLock { _ in }
    transceiver.resume()
    #expect(bench.restore(#"{"degrees":5}"#, at: .elsewhere, request: 1) == .applied)
    #expect(bench.restore(nil, at: .initial, request: 2) == .applied)
    #expect(rooms.withLock(\.self) == [Room(degrees: 5), Room()])
    #expect(bench.perform(#"{"command":"lock"}"#) == .applied)
    #expect(bench.perform(#"{"command":"describe"}"#) == .applied)
    let other = Bench()
    let history = HistoryTransceiver<Counter>(transceiver: other.transceiver())
    history.transceiver.onLock { _ in Issue.record("the store has a lock") }
    history.resume()
    #expect(other.configurations.last?.control.contains(.replays) == true)
    #expect(other.perform(#"{"command":"lock"}"#) == .applied)
    history.store.dispatch(.step)
    #expect(history.store.state.count == 0)
  }

  @Test func `a redacted value of the initial state stays in the process`() throws {
    struct Account: Codable, Sendable {
      var name = "ada"
      @Redacted var secret = "hunter2"
    }
    let transceiver = bench.transceiver()
    transceiver.onReset(initial: Account()) { _ in }
    transceiver.resume()
    #expect(bench.perform(#"{"command":"describe"}"#) == .applied)
    let told = try #require(try revision(0).initial?.text())
    #expect(told.contains("ada") && !told.contains("hunter2"))
  }

  private enum Counter: StateSurfable {
    struct State: StateInitializable { var count = 0 }
    enum Action: String, Codable { case step }
    static let reducer = Reducer<Action, State>.reduce { $1.count += $0 == .step ? 1 : 0 }
  }
}
