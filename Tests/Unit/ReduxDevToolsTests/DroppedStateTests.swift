import JSONTree
import ReduxDevTools
import SurfControl
import SurfWire
import TestSupport
import Testing

/// States that were dropped here, or came late.
@Suite struct DroppedStateTests {
  /// Of twenty actions with a kilobyte each there is room for the newest four or so.
  private static func dropped() -> PanelInstance {
    var bounds = PanelInstance.Bounds()
    bounds.byteCountMax = 5_000
    return .loaded([], (1...20).map(record), bounds: bounds)
  }

  private static func record(_ row: Int) -> Record {
    .action(
      SequenceNumber(UInt64(row)), "step", ##"{"step":{"_0":\##(row)}}"##, state: state(row))
  }

  private static func state(_ row: Int) -> String {
    "\"\(String(repeating: "\(row % 10)", count: 1_000))\""
  }

  private static func reset(_ row: Int) -> PanelReply {
    .reset(
      row: SequenceNumber(UInt64(row)),
      .bytes(Array(state(row).utf8), contentType: "application/json"))
  }

  @Test func `A jump to a dropped state fetches it, once, and shows it`() throws {
    var instance = Self.dropped()
    #expect(instance.perform(.jump(action: 5, state: nil)) == [.fetch(row: 5)])
    #expect(instance.receive(Self.record(5)) == [.whole])
    #expect(instance.jump(toFetched: 5) == [Self.reset(5)])
    let lifted = try #require(instance.lifted)
    #expect(
      lifted["computedStates"]?.list[5]["state"]?.string == String(repeating: "5", count: 1_000))
    #expect(
      lifted["actionsById"]?["5"]?["action"] == ["type": "step", "payload": 5],
      "what had gone with the state is back, too")
    #expect(lifted["computedStates"]?.list[20]["error"] == nil, "no other made room for it")
    #expect(instance.perform(.jump(action: 5, state: nil)) == [Self.reset(5)])
    #expect(instance.receive(Self.record(5)) == [], "it is here")
  }

  @Test func `What the app no longer has is refused, and not fetched for ever`() {
    let instance = Self.dropped()
    guard case .send(.error(let reason)) = instance.jump(toFetched: 5).first else {
      Issue.record("no refusal")
      return
    }
    #expect(reason.hasPrefix("row 5 cannot be jumped to: this gateway had to drop the state"))
  }

  @Test func `What is fetched has its bounds, and is forgotten with its row`() {
    var bounds = PanelInstance.Bounds()
    bounds.byteCountMax = 5_000
    bounds.frameSizeMax = 2_500
    bounds.rowCountMax = 20
    var instance = PanelInstance.loaded([], (1...20).map(Self.record), bounds: bounds)
    let before = instance.byteCount
    for row in 1...6 { _ = instance.receive(Self.record(row)) }
    #expect(instance.byteCount <= before + bounds.frameSizeMax)
    #expect(instance.perform(.jump(action: 1, state: nil)) == [.fetch(row: 1)])
    #expect(instance.perform(.jump(action: 6, state: nil)) == [Self.reset(6)])
    for row in 21...40 { _ = instance.receive(Self.record(row)) }
    #expect(instance.byteCount <= 5_000 + 20 * 4)
  }

  @Test func `Only what is dropped and within a frame is fetched for who looks`() {
    var bounds = PanelInstance.Bounds()
    bounds.byteCountMax = 5_000
    bounds.frameSizeMax = 10_000
    var instance = PanelInstance.loaded([], (1...20).map(Self.record), bounds: bounds)
    let rows = instance.droppedInView
    #expect(rows.count >= 4 && rows.allSatisfy { $0 > 10 && $0 < 18 })
    _ = instance.note(PanelInstanceTests.restored(.record(3), newest: 20))
    #expect(instance.droppedInView.first == 3, "where the app is before all others")
    for row in instance.droppedInView { _ = instance.receive(Self.record(Int(row.rawValue))) }
    #expect(instance.droppedInView == [])
    #expect(PanelInstance.shopping().droppedInView == [])
  }

  /// A delta without a base.
  private static let unmade = RecordState.delta(Content(type: "x", bytes: []))

  @Test func `A state that was not sent is not asked for`() {
    var records = PanelInstance.shoppingRecords
    records[1].state = .givenUp
    var instance = PanelInstance.loaded([], records)
    let error = instance.lifted?["computedStates"]?.list[2]["error"]?.string
    #expect(error?.contains("the app did not send the state") == true, "\(error ?? "none")")
    let replies = instance.perform(.jump(action: 2, state: nil))
    #expect(!replies.contains { if case .fetch = $0 { true } else { false } })
  }

  @Test func `A state that was missing and comes is told`() throws {
    var records = PanelInstance.shoppingRecords
    records[1].state = Self.unmade
    var instance = PanelInstance.loaded([], records)
    let error = instance.lifted?["computedStates"]?.list[2]["error"]?.string
    #expect(error?.contains("as a change of another") == true, "\(error ?? "none")")
    #expect(instance.perform(.jump(action: 2, state: nil)) == [.fetch(row: 2)])
    #expect(instance.receive(PanelInstance.shoppingRecords[1]) == [.whole])
    let state = try #require(instance.lifted?["computedStates"]?.list[2])
    #expect(state["error"] == nil && state["state"]?.list.count == 2)
    #expect(instance.receive(PanelInstance.shoppingRecords[1]) == [], "once")
    #expect(instance.perform(.jump(action: 2, state: nil)).count == 1)
  }

  /// Its state alone tells whether a move of rows left the app where history begins.
  @Test func `A revision whose state comes late leaves the pointer where the app is`() {
    let revision = Revision(
      command: "reorder", viewerName: "ada", replay: .exact, isLocked: false, isPaused: false,
      staging: .init(
        oldest: 0, committed: ["a"], items: [1, 2, 3].map { Revision.Item(row: $0) }, current: nil))
    var early = Record.revision(4, revision, state: ##"["from elsewhere"]"##)
    let late = early
    early.state = Self.unmade
    var instance = PanelInstance.loaded(
      .ofStore, PanelInstance.shoppingRecords + [early])
    #expect(instance.lifted?["currentStateIndex"] == 0)
    #expect(instance.receive(late) == [.whole])
    #expect(instance.lifted?["currentStateIndex"] == 4)
    #expect(instance.lifted?["actionsById"]?["4"]?["action"]?["type"] == "@@ELSEWHERE")
  }

  @Test func `A row outside of history that has the state of its beginning is the beginning`() {
    let commit = Revision(
      command: "commit", viewerName: "ada", replay: .exact, isLocked: false, isPaused: false,
      staging: .init(
        oldest: 0, committed: ["milk", "eggs", "tea"], items: [], current: nil))
    var instance = PanelInstance.loaded(
      .ofStore,
      PanelInstance.shoppingRecords
        + [.revision(4, commit, state: ##"[ "milk", "eggs", "tea" ]"##)])
    _ = instance.note(PanelInstanceTests.restored(.record(2), newest: 4, request: 1))
    #expect(instance.lifted?["stagedActionIds"]?.list.count == 2, "elsewhere")
    _ = instance.note(PanelInstanceTests.restored(.record(3), newest: 4, request: 2))
    #expect(instance.lifted?["stagedActionIds"] == [0])
    #expect(instance.lifted?["currentStateIndex"] == 0)
  }
}
