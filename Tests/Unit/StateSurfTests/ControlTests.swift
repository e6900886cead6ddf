import Foundation
import JSONTree
import StateSurf
import SurfControl
import SurfNetwork
import SurfStore
import SurfThreads
import SurfWire
import Testing

/// Every order of its actions leads to another state, and one of them carries a value.
private enum Ledger: StateSurfable {
  struct State: StateInitializable, Equatable {
    var entries: [Int] = []
  }

  enum Action: Codable, Sendable {
    case add(Int)
    case double
    case move(from: Int, to: Int)
  }

  static let actionCreators = [
    ActionCreator("add", "_ number"), ActionCreator("double"), ActionCreator("move", "from", "to"),
  ]

  static let reducer = Reducer<Action, State>.reduce { action, state in
    switch action {
    case .add(let number): state.entries.append(number)
    case .double: state.entries = state.entries.map { $0 * 2 }
    case .move(let from, let to): state.entries = [from, to]
    }
  }
}

/// Actions without values need not be named again.
private enum Lamp: StateSurfable {
  struct State: StateInitializable { var isOn = false }
  enum Action: String, Codable, CaseIterable {
    case on
    case off = "OFF"
  }
  static let reducer = Reducer<Action, State>.reduce { $1.isOn = $0 == .on }
}

/// No viewer could make one of these.
private enum Silent: StateSurfable {
  typealias State = Lamp.State
  enum Action: CaseIterable { case on }
  static let reducer = Reducer<Action, State>.reduce { $1.isOn = $0 == .on }
}

/// Two of its actions draw a number that no other run draws; one number is redacted.
private enum Dice: StateSurfable {
  struct State: StateInitializable {
    var entries: [Int] = []
    @Redacted var secret = 0
  }
  enum Action: Codable {
    case add(Int)
    case roll
    case hide
  }
  static let drawn = Monitor(100)
  static func draw() -> Int {
    drawn.withLock { number in
      number += 1
      return number
    }
  }
  static let reducer = Reducer<Action, State>.reduce { action, state in
    switch action {
    case .add(let number): state.entries.append(number)
    case .roll: state.entries.append(draw())
    case .hide: state.secret = draw()
    }
  }
}

/// Its reducer waits until the gate is open.
private enum Slow: StateSurfable {
  struct State: StateInitializable { var count = 0 }
  enum Action: String, Codable, CaseIterable { case go }
  static let gate = Monitor(false)
  static let reducer = Reducer<Action, State>.reduce { _, state in
    gate.wait { $0 }
    state.count += 1
  }
}

@Suite("What viewers ask of a program's history")
struct ControlTests {
  private let bench = Bench()
  private let app: HistoryTransceiver<Ledger>

  init() {
    app = HistoryTransceiver(transceiver: bench.transceiver())
    app.resume()
  }

  private var entries: [Int] { app.store.state.entries }

  private func dispatch(_ numbers: Int...) {
    for number in numbers { app.store.dispatch(.add(number)) }
    // Whoever answered the last command may still hold the store: then the actions only wait.
    let isDone = DispatchSemaphore(value: 0)
    app.store.revise { _ in
      nil
    } completion: {
      isDone.signal()
    }
    #expect(isDone.wait(timeout: .now() + 10) == .success)
    #expect(app.transceiver.flush())
  }

  /// The newest revision that was told.
  private func revision() throws -> Revision {
    #expect(app.transceiver.flush())
    let record = try #require(bench.sink.records.last { $0.kind == .revision })
    return try Revision(parsing: try #require(record.payload).bytes)
  }

  @Test func itSaysWhatItTakes() {
    #expect(bench.configurations.map(\.control) == [[.allCommands, .hasWheel]])
  }

  @Test func `an app whose actions cannot be read says that it takes none`() throws {
    let bench = Bench()
    let app = HistoryTransceiver<Silent>(transceiver: bench.transceiver())
    app.resume()
    let control = try #require(bench.configurations.first?.control)
    #expect(control.isSuperset(of: [.takesCommands, .replays]) && !control.contains(.takesActions))
    withExtendedLifetime(app) {}
  }

  @Test func askedForADescriptionItTellsItsInitialState() throws {
    dispatch(1)
    #expect(bench.perform(#"{"command":"describe"}"#) == .applied)
    let revision = try revision()
    #expect(revision.initial?.text() == #"{"entries":[]}"#)
    #expect(
      revision.creators == [
        .init(name: "add", arguments: ["_ number"]), .init(name: "double"),
        .init(name: "move", arguments: ["from", "to"]),
      ])
    #expect(revision.staging == nil)
    #expect(entries == [1])
    #expect(bench.sink.records.last?.name == "initial state asked for by ada")
    #expect(bench.sink.records.last?.state.text == nil)
  }

  @Test func casesWithoutValuesAreOfferedByThemselves() {
    #expect(Lamp.actionCreators == [ActionCreator("on"), ActionCreator("OFF")])
    #expect(Silent.actionCreators == [])
  }

  @Test(arguments: [#""OFF""#, #"{"type":"OFF"}"#])
  func aCaseIsDispatchedByItsRawValue(action: String) throws {
    let bench = Bench()
    let lamp = HistoryTransceiver<Lamp>(transceiver: bench.transceiver())
    lamp.resume()
    lamp.store.dispatch(.on)
    #expect(bench.perform(#"{"command":"dispatch","action":\#(action)}"#) == .applied)
    #expect(!lamp.store.state.isOn)
    let row = try #require(bench.sink.records.last { $0.kind == .action })
    #expect(row.source == "by ada" && row.dispatcher == "ada" && !row.hasPlace)
  }

  @Test func aSkipIsExactAndToldToAll() throws {
    dispatch(1, 2, 3)
    app.store.dispatch(.double)
    #expect(bench.perform(#"{"command":"toggle","row":2}"#) == .applied)
    #expect(entries == [2, 6])
    let revision = try revision()
    #expect(
      revision.command == "toggle" && revision.viewerName == "ada" && revision.replay == .exact)
    let staging = try #require(revision.staging)
    #expect(staging.oldest == 0 && staging.current == 4)
    #expect(staging.items.map(\.row) == [1, 2, 3, 4])
    #expect(staging.items.map(\.isSkipped) == [false, true, false, false])
    #expect(
      staging.items.map { $0.state?.text() } == [
        nil, #"{"entries":[1]}"#, #"{"entries":[1,3]}"#, #"{"entries":[2,6]}"#,
      ])
    let record = try #require(bench.sink.records.last)
    #expect(record.name == "toggle row 2 by ada")
    #expect(record.state.text == #"{"entries":[2,6]}"#)
  }

  @Test(arguments: [Dice.Action.roll, .hide])
  fileprivate func aReplayThatDiffersIsNotCalledExact(impure: Dice.Action) throws {
    let bench = Bench()
    let dice = HistoryTransceiver<Dice>(transceiver: bench.transceiver())
    dice.resume()
    for action in [.add(1), .add(2), impure, .add(4), .roll] { dice.store.dispatch(action) }
    func replay(_ skipped: Bool, _ row: Int) throws -> Revision.Replay {
      let command = #"{"command":"toggle","row":\#(row),"skipped":\#(skipped)}"#
      #expect(bench.perform(command) == .applied)
      return try Revision(parsing: #require(bench.sink.records.last?.payload?.bytes)).replay
    }
    for _ in 0..<2 {
      #expect(try replay(true, 2) == .differs(3))
      #expect(try replay(false, 2) == .differs(3))
    }
    #expect(try replay(true, 5) == .exact, "nothing follows it")
  }

  /// Seen, a state of before a rewrite is the row's former one; rewritten, it is what it is now.
  @Test func aRewriteLeavesTheAppAtTheRowWhereItWas() throws {
    dispatch(1, 2, 3, 4)
    #expect(bench.perform(#"{"command":"toggle","row":2}"#) == .applied)
    #expect(bench.restore(#"{"entries":[1,2,3]}"#, at: .record(3), request: 11) == .applied)
    #expect(bench.perform(#"{"command":"toggle","row":2}"#) == .applied)
    #expect(try revision().staging?.current == 3)
    #expect(entries == [1, 2, 3])
    dispatch(5)
    #expect(bench.perform(#"{"command":"toggle","row":1}"#) == .applied)
    #expect(entries == [2, 3, 5])
    #expect(try revision().replay == .exact)
  }

  /// Back at the record of a rewrite, the app is in the history that is in force.
  @Test func whatHappensAtTheRecordOfARewriteBelongsToTheHistoryInForce() throws {
    dispatch(1, 2, 3)
    #expect(bench.perform(#"{"command":"toggle","row":2}"#) == .applied)
    #expect(bench.restore(#"{"entries":[1]}"#, at: .record(1), request: 11) == .applied)
    #expect(bench.restore(#"{"entries":[1,3]}"#, at: .record(4), request: 12) == .applied)
    dispatch(5)
    #expect(bench.perform(#"{"command":"toggle","row":1}"#) == .applied)
    #expect(entries == [3, 5])
  }

  @Test func whatFollowsBuildsOnTheRevisedState() {
    dispatch(1, 2)
    #expect(bench.perform(#"{"command":"toggle","row":1,"skipped":true}"#) == .applied)
    dispatch(3)
    #expect(entries == [2, 3])
    #expect(bench.perform(#"{"command":"toggle","row":1,"skipped":false}"#) == .applied)
    #expect(entries == [1, 2, 3])
  }

  @Test func aJumpIsKnownToTheLog() {
    dispatch(1, 2, 3)
    bench.reset(to: #"{"entries":[1]}"#, from: 1)
    #expect(bench.sink.waitForAnswers(1))
    dispatch(9)
    #expect(bench.perform(#"{"command":"toggle","row":3}"#) == .applied)
    #expect(entries == [1, 9])
    #expect(bench.perform(#"{"command":"toggle","row":1}"#) == .applied)
    #expect(entries == [9])
  }

  @Test func commitRollbackAndReset() throws {
    dispatch(1)
    #expect(bench.perform(#"{"command":"commit"}"#) == .applied)
    #expect(try revision().staging?.items == [])
    #expect(try revision().staging?.committed?.text() == #"{"entries":[1]}"#)
    dispatch(2)
    #expect(bench.perform(#"{"command":"rollback"}"#) == .applied)
    #expect(entries == [1])
    #expect(bench.perform(#"{"command":"reset"}"#) == .applied)
    #expect(entries == [])
  }

  @Test func reorderAndSweep() throws {
    dispatch(1, 2, 3)
    #expect(bench.perform(#"{"command":"reorder","row":3,"before":1}"#) == .applied)
    #expect(try revision().staging?.items.map(\.row) == [3, 1, 2])
    #expect(entries == [3])
    #expect(bench.perform(#"{"command":"toggle","row":1}"#) == .applied)
    #expect(bench.perform(#"{"command":"sweep"}"#) == .applied)
    #expect(try revision().staging?.items.map(\.row) == [3, 2])
  }

  @Test func lockedItRefusesItsOwnActionsAndSaysSo() throws {
    dispatch(1)
    #expect(bench.perform(#"{"command":"lock","on":true}"#) == .applied)
    #expect(try revision().isLocked)
    #expect(bench.sink.events.contains(.announced([.allCommands, .hasWheel, .locked])))
    dispatch(2)
    #expect(entries == [1])
    #expect(bench.sink.records.last?.name == "refused while locked: add(2)")
    #expect(
      bench.perform(#"{"command":"dispatch","action":"double"}"#)
        == .rejected(reason: "the app is locked; unlock it first"))
    #expect(bench.perform(#"{"command":"toggle","row":1}"#) == .applied)
    #expect(bench.perform(#"{"command":"lock","on":false}"#) == .applied)
    dispatch(3)
    #expect(entries == [3])
  }

  @Test func pausedItRecordsNothingAndCounts() throws {
    dispatch(1)
    #expect(bench.perform(#"{"command":"pause"}"#) == .applied)
    #expect(bench.sink.events.contains(.announced([.allCommands, .hasWheel, .paused])))
    let count = bench.sink.records.count
    dispatch(2, 3)
    #expect(bench.sink.records.count == count)
    #expect(bench.perform(#"{"command":"pause","on":false}"#) == .applied)
    #expect(app.transceiver.flush())
    #expect(
      bench.sink.records.last?.name == "recording resumed by ada, 2 actions were not recorded")
    dispatch(4)
    #expect(bench.perform(#"{"command":"toggle","row":1}"#) == .applied)
    // What was not recorded cannot be run again, so what came after stands on it as it is.
    #expect(entries == [1, 2, 3, 4])
  }

  @Test(arguments: [
    (#"{"add":{"_0":7}}"#, [7]), (#"{"add":7}"#, [7]), (#"{"type":"add","payload":7}"#, [7]),
    (#"{"type":"move","from":1,"to":2}"#, [1, 2]),
    (#"{"type":"move","payload":{"from":1,"to":2}}"#, [1, 2]),
    (#"{"move":{"from":1,"to":2}}"#, [1, 2]), (#""double""#, []), (#"{"type":"double"}"#, []),
  ])
  func anActionIsReadAsPeopleWriteIt(action: String, entries: [Int]) {
    #expect(bench.perform(#"{"command":"dispatch","action":\#(action)}"#) == .applied)
    #expect(self.entries == entries)
    #expect(app.transceiver.flush())
    #expect(bench.sink.records.map(\.kind) == [.action])
  }

  @Test(arguments: [
    "", "{}", #"{"command":"fly"}"#, #"{"command":"toggle"}"#, #"{"command":"toggle","row":-1}"#,
    #"{"command":"toggle","row":99}"#, #"{"command":"toggle","row":0}"#,
    #"{"command":"reorder","row":1,"before":99}"#, #"{"command":"dispatch"}"#,
    #"{"command":"dispatch","action":{"fly":{}}}"#, #"{"command":"import"}"#,
    #"{"command":"import","steps":[{"name":"x","state":{"entries":"no"}}]}"#,
    #"{"command":"import","committed":5,"steps":[]}"#,
  ])
  func whatCannotBeDoneIsRejectedWithAReasonAndChangesNothing(command: String) throws {
    dispatch(1)
    guard case .rejected(let reason) = bench.perform(command) else {
      Issue.record("not rejected")
      return
    }
    #expect(!reason.isEmpty)
    #expect(entries == [1])
    #expect(app.transceiver.flush())
    #expect(bench.sink.records.count == 1)
  }

  @Test func aRowThatIsNotThereIsAnsweredWithThoseThatAre() {
    let command = #"{"command":"toggle","row":9}"#
    #expect(bench.perform(command) == .rejected(reason: "there is no row 9; there are none yet"))
    dispatch(1, 2)
    #expect(bench.perform(command) == .rejected(reason: "there is no row 9; rows are 1 to 2"))
    #expect(
      bench.perform(#"{"command":"toggle","row":0}"#)
        == .rejected(reason: "row 0 is the initial state, not an action"))
  }

  @Test func anImportIsRecordedWithItsNamesAndCanBeSkippedIn() throws {
    dispatch(1)
    let steps = #"""
      [{"name":"add","action":{"type":"add","payload":5},"state":{"entries":[4,5]}},
       {"name":"odd","action":{"type":"odd"},"state":{"entries":[4,5,6]}},
       {"name":"add","action":{"type":"add","payload":7},"state":{"entries":[4,5,6,7]}}]
      """#
    let command =
      #"{"command":"import","committed":{"entries":[4]},"steps":\#(steps),"current":2}"#
    #expect(bench.perform(command) == .applied)
    #expect(entries == [4, 5, 6, 7])
    #expect(app.transceiver.flush())
    #expect(
      bench.sink.records.dropFirst().map(\.name) == [
        "add", "odd", "add", "import of 3 actions by ada",
      ])
    #expect(try revision().staging?.items.map(\.row) == [2, 3, 4])
    #expect(bench.perform(#"{"command":"toggle","row":4}"#) == .applied)
    #expect(entries == [4, 5, 6])
  }

  @Test func statesThatAnImportDoesNotTellAreComputed() throws {
    let steps = #"""
      [{"name":"add","action":{"type":"add","payload":5}},
       {"name":"add","action":{"type":"add","payload":6},"skipped":true},
       {"name":"add","action":{"type":"add","payload":7}}]
      """#
    let command =
      #"{"command":"import","committed":{"entries":[4]},"steps":\#(steps),"current":2}"#
    #expect(bench.perform(command) == .applied)
    #expect(entries == [4, 5, 7])
    #expect(bench.perform(#"{"command":"toggle","row":2}"#) == .applied)
    #expect(entries == [4, 5, 6, 7])
    guard
      case .rejected(let reason) = bench.perform(
        #"{"command":"import","steps":[{"name":"fly","action":{"type":"fly"}}]}"#)
    else {
      Issue.record("an action that is none has no state")
      return
    }
    #expect(reason.hasPrefix("step 1, fly: "))
    #expect(entries == [4, 5, 6, 7])
  }

  private func adds(_ count: Int) -> String {
    let steps = (1...count).map { #"{"name":"add","action":{"add":\#($0)}}"# }
    return
      #"{"command":"import","steps":[\#(steps.joined(separator: ","))],"current":\#(count - 1)}"#
  }

  /// A state after each of 33,000 actions takes 3 GB as JSON.
  @Test func `a long import keeps the newest states and rows, and counts the rest`() throws {
    let count = 33_000
    #expect(bench.perform(adds(count)) == .applied)
    #expect(entries == Array(1...count))
    #expect(app.transceiver.flush())
    let rows = bench.sink.records.filter { $0.kind == .action }
    #expect(rows.count == 32_768)
    let mark = try #require(bench.sink.records.first { $0.kind == .mark })
    #expect(mark.name.hasPrefix("232 of 33000 imported actions were run and have no row"))
    let kept = rows.drop { $0.state == .givenUp }
    #expect(kept.allSatisfy { $0.state != .givenUp })
    // Each takes 182 KB.
    #expect(100...200 ~= kept.count)
    let staging = try #require(try revision().staging)
    #expect(staging.current == rows.last?.sequence.rawValue)
    #expect(staging.committed == nil && staging.oldest == kept.first?.sequence.rawValue)
    let row = try #require(rows.dropLast().last?.sequence.rawValue)
    #expect(bench.perform(#"{"command":"toggle","row":\#(row)}"#) == .applied)
    #expect(entries == Array(1...count - 2) + [count])
  }

  /// The app's own reducer may take long; what others ask is decided meanwhile.
  @Test func `a long import that nobody waits for is stopped, and holds up nobody`() async throws {
    Slow.gate.withLock { $0 = false }
    let bench = Bench()
    let slow = HistoryTransceiver<Slow>(transceiver: bench.transceiver())
    slow.resume()
    let steps = (1...2_000).map { _ in #"{"name":"go","action":"go"}"# }.joined(separator: ",")
    var reset = IncomingReset(
      viewerName: "ada",
      state: Content(
        type: "application/json", bytes: Array(#"{"command":"import","steps":[\#(steps)]}"#.utf8)))
    reset.isCommand = true
    (reset.viewer, reset.request) = (ViewerID(rawValue: 8), 8)
    bench.bring(reset)
    #expect(await bench.performed(#"{"command":"describe"}"#) == .applied)
    #expect(
      await bench.performed(#"{"command":"import","steps":[\#(steps)]}"#)
        == .rejected(reason: "another import is under way; try again when it is over"))
    bench.configurations.last?.onAbandon?(RequestKey(reset))
    Slow.gate.withLock { $0 = true }
    #expect(await bench.answered(3))
    #expect(bench.sink.answers.last == .rejected(reason: "the viewer that asked for it is gone"))
    #expect(slow.store.state.count == 0)
    // The next one goes through.
    #expect(await bench.performed(#"{"command":"import","steps":[\#(steps)]}"#) == .applied)
  }

  @Test func aProgramWithoutAStoreTakesNoCommands() {
    let bench = Bench()
    let transceiver = bench.transceiver()
    transceiver.onReset { _ in Issue.record("a command is no state") }
    transceiver.resume()
    #expect(bench.perform(#"{"command":"commit"}"#) == .forbidden)
    #expect(bench.configurations.map(\.control) == [.hasWheel])
  }
}
