import Foundation
import JSONTree
import StateSurf
import SurfControl
import SurfLive
import SurfNetwork
import SurfStore
import SurfWire
import Synchronization
import Testing

@Suite("Who drives a program")
struct ProgramWheelTests {
  private let bench = Bench()

  /// Asks as a viewer, and waits for the answer.
  private func ask(
    _ text: String, as viewer: UInt64, _ name: String, isCommand: Bool = true
  ) -> Outcome.Result? {
    let count = bench.sink.answers.count
    bench.bring(
      IncomingReset(
        request: UInt64(count) + 1, viewer: ViewerID(rawValue: viewer), viewerName: name,
        target: .elsewhere, state: Content(type: "application/json", bytes: Array(text.utf8)),
        isCommand: isCommand))
    return bench.sink.waitForAnswers(count + 1) ? bench.sink.answers.last : nil
  }

  private var revisions: [(name: String, revision: Revision?)] {
    bench.sink.records.filter { $0.kind == .revision }.map { record in
      (record.name, try? Revision(parsing: record.payload?.bytes ?? []))
    }
  }

  private static let take = #"{"command":"drive"}"#
  private static let seize = #"{"command":"drive","on":true,"over":true}"#
  private static let giveBack = #"{"command":"drive","on":false}"#
  private static let adaDrives = Outcome.Result.rejected(reason: "ada is driving")

  @Test func `others are refused with the driver's name, and the driver is not`() {
    let app = HistoryTransceiver<Counter>(transceiver: bench.transceiver())
    app.resume()
    #expect(ask(Self.take, as: 1, "ada") == .applied)
    let state = #"{"count":5,"ratio":0}"#
    #expect(ask(state, as: 2, "bob", isCommand: false) == Self.adaDrives)
    #expect(ask(#"{"command":"lock"}"#, as: 2, "bob") == Self.adaDrives)
    #expect(ask(Self.take, as: 2, "bob") == Self.adaDrives)
    // The same name is not the same viewer.
    #expect(ask(#"{"command":"pause"}"#, as: 3, "ada") == Self.adaDrives)
    #expect(app.store.state.count == 0)
    #expect(ask(state, as: 1, "ada", isCommand: false) == .applied)
    #expect(app.store.state.count == 5)
    // The app itself is not kept from anything, and looking moves nothing.
    app.store.dispatch(.increment)
    #expect(app.store.state.count == 6)
    #expect(ask(#"{"command":"describe"}"#, as: 2, "bob") == .applied)
    #expect(ask(Self.giveBack, as: 1, "ada") == .applied)
    #expect(ask(state, as: 2, "bob", isCommand: false) == .applied)
  }

  @Test func `all viewers are told who drives, who took over, and that nobody does`() throws {
    let app = HistoryTransceiver<Counter>(transceiver: bench.transceiver())
    app.resume()
    for (text, viewer, name) in [
      (Self.take, 1, "ada"), (Self.take, 1, "ada"), (Self.seize, UInt64.max, "bob"),
      (Self.giveBack, 1, "ada"), (Self.giveBack, .max, "bob"),
    ] { #expect(ask(text, as: viewer, name) == .applied) }
    #expect(bench.sink.waitForRecords(3))
    #expect(
      revisions.map(\.name) == [
        "driven by ada", "driven by bob, after ada", "wheel given back by bob",
      ])
    let told = revisions.map { $0.revision?.driver }
    let drivers: [Revision.AtWheel?] = [
      .init(viewer: 1, name: "ada"), .init(viewer: .max, name: "bob"), nil,
    ]
    #expect(told == drivers)
    #expect(revisions.allSatisfy { $0.revision?.command == "drive" })
    let flags = bench.sink.events.compactMap { event -> Bool? in
      if case .announced(let control) = event { control.contains(.driven) } else { nil }
    }
    #expect(flags == [true, true, false])
    #expect(bench.configurations.first?.control.contains(.hasWheel) == true)
  }

  @Test func `a program that takes states alone has a wheel, too`() {
    let transceiver = bench.transceiver()
    let count = Mutex(0)
    transceiver.onReset { _ in count.withLock { $0 += 1 } }
    transceiver.resume()
    #expect(ask(Self.take, as: 1, "ada") == .applied)
    #expect(ask("1", as: 2, "bob", isCommand: false) == Self.adaDrives)
    #expect(ask(#"{"command":"sweep"}"#, as: 1, "ada") == .forbidden)
    #expect(ask(Self.seize, as: 2, "bob") == .applied)
    #expect(ask("1", as: 2, "bob", isCommand: false) == .applied)
    #expect(count.withLock { $0 } == 1)
  }

  @Test func `a program that takes nothing has no wheel`() {
    let transceiver = bench.transceiver()
    transceiver.resume()
    #expect(ask(Self.take, as: 1, "ada") == .forbidden)
    #expect(bench.configurations.first?.control.contains(.hasWheel) == false)
  }

  @Test func `a lock and a lease are told beside each other`() {
    let app = HistoryTransceiver<Counter>(transceiver: bench.transceiver())
    app.resume()
    #expect(ask(#"{"command":"lock"}"#, as: 1, "ada") == .applied)
    #expect(ask(Self.take, as: 1, "ada") == .applied)
    #expect(ask(#"{"command":"lock","on":false}"#, as: 1, "ada") == .applied)
    let announced = bench.sink.events.compactMap { event -> Heartbeat.Control? in
      if case .announced(let control) = event { control } else { nil }
    }
    let wheel: [Heartbeat.Control] = announced.map { $0.intersection([.locked, .driven]) }
    #expect(wheel == [.locked, [.locked, .driven], .driven])
    #expect(bench.sink.waitForRecords(2))
    #expect(revisions.last?.revision?.isLocked == true || revisions.count == 3)
  }

  @Test func `a lease that nobody renews ends by itself`() {
    let changes = Mutex<[Wheel.Change]>([])
    let isFree = DispatchSemaphore(value: 0)
    let desk = ResetQueue(
      mailbox: Mailbox(whenFull: .giveUpStates), wheel: Wheel(term: .milliseconds(20)),
      wheelHandler: { change in
        changes.withLock { $0.append(change) }
        if case .lapsed = change { isFree.signal() }
      })
    desk.setHandler { _, answer in answer(.applied) }
    let ada = WheelDriver(viewer: ViewerID(rawValue: 1), name: "ada")
    desk.receive(
      IncomingReset(
        request: 1, viewer: ada.viewer, viewerName: ada.name, target: .elsewhere,
        state: Content(type: "application/json", bytes: Array(Self.take.utf8)), isCommand: true))
    isFree.wait()
    let all: [Wheel.Change] = [.taken(by: ada, from: nil), .lapsed(ada)]
    #expect(changes.withLock { $0 } == all)
  }
}
