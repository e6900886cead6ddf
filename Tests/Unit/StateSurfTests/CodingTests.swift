import Foundation
import StateSurf
import SurfStore
import SurfWire
import Synchronization
import Testing

/// An agenda, whose every part JSON has no word for.
private enum Agenda: StateSurfable {
  struct State: StateInitializable, Equatable {
    var meetings: [UUID: Date] = [:]
  }

  enum Action: Codable, Sendable {
    case meet(UUID, at: Date)
    case cancel([UUID: Date])
  }

  static let reducer = Reducer<Action, State>.reduce { action, state in
    switch action {
    case .meet(let id, let date): state.meetings[id] = date
    case .cancel(let meetings): for id in meetings.keys { state.meetings[id] = nil }
    }
  }
}

@Suite("Dates and keys that people can read")
struct CodingTests {
  private let bench = Bench()
  private let agenda: HistoryTransceiver<Agenda>
  private static let id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? UUID()
  private static let date = Date(timeIntervalSinceReferenceDate: 700_000_000.123456789)

  init() {
    var configuration = Transceiver.Configuration()
    configuration.coding = .readable
    agenda = HistoryTransceiver(transceiver: bench.transceiver(configuration))
    agenda.resume()
  }

  private var records: [Record] {
    agenda.transceiver.flush(timeout: .seconds(60))
    return bench.sink.records
  }

  @Test func aStateIsRestoredAsItWasWritten() throws {
    agenda.store.dispatch(.meet(Self.id, at: Self.date))
    let before = agenda.store.state
    let text = try #require(records.first?.state.text)
    #expect(text.hasPrefix(#"{"meetings":{"\#(Self.id)":"2023-03-08T20:26:40.12345"#))
    bench.reset(to: nil)
    #expect(bench.sink.waitForAnswers(1))
    #expect(agenda.store.state == Agenda.State())
    bench.reset(to: text, from: 1)
    #expect(bench.sink.waitForAnswers(2))
    #expect(agenda.store.state == before)
  }

  @Test func anActionIsReadAsItIsShown() throws {
    agenda.store.dispatch(.meet(Self.id, at: Self.date))
    let payload = try #require(records.first?.payload)
    let action = String(decoding: payload.bytes, as: UTF8.self)
    #expect(action.contains(#""at":"2023-03-08T20:26:40.12345"#))
    let before = agenda.store.state
    bench.reset(to: nil)
    #expect(bench.sink.waitForAnswers(1))
    #expect(bench.perform(#"{"command":"dispatch","action":\#(action)}"#) == .applied)
    #expect(agenda.store.state == before)
    let cancel = #"{"cancel":{"\#(Self.id)":"2023-03-08T20:26:40Z"}}"#
    #expect(bench.perform(#"{"command":"dispatch","action":\#(cancel)}"#) == .applied)
    #expect(agenda.store.state == Agenda.State())
  }

  private enum Diary: StateSurfable {
    struct State: StateInitializable, Equatable { var pages: [String] = [] }
    enum Action: Codable, Sendable {
      case page(Page)
      enum Page: Codable, Sendable {
        case write(String?)
        case tear
      }
    }
    static let reducer = Reducer<Action, State>.reduce { action, state in
      switch action {
      case .page(.write(let text)): state.pages.append(text ?? "blank")
      case .page(.tear): _ = state.pages.popLast()
      }
    }
  }

  @Test func `What a record carries dispatches the same action again`() throws {
    let bench = Bench()
    let diary = HistoryTransceiver<Diary>(transceiver: bench.transceiver())
    diary.resume()
    for action in [Diary.Action.page(.write("a")), .page(.write(nil)), .page(.tear)] {
      diary.store.dispatch(action)
    }
    diary.transceiver.flush(timeout: .seconds(60))
    let first = bench.sink.records
    #expect(first.map(\.name) == [#"page.write(Optional("a"))"#, "page.write(nil)", "page.tear"])
    for record in first {
      let action = String(decoding: try #require(record.payload).bytes, as: UTF8.self)
      #expect(bench.perform(#"{"command":"dispatch","action":\#(action)}"#) == .applied)
    }
    let again = bench.sink.records.dropFirst(3)
    #expect(again.map(\.payload) == first.map(\.payload))
    #expect(diary.store.state.pages == ["a", "a"])
  }

  @Test func aDescriptionAndARevisionAreWrittenTheSame() throws {
    agenda.store.dispatch(.meet(Self.id, at: Self.date))
    agenda.store.dispatch(.cancel([:]))
    #expect(bench.perform(#"{"command":"toggle","row":2}"#) == .applied)
    let revision = try #require(records.last?.payload)
    #expect(String(decoding: revision.bytes, as: UTF8.self).contains("2023-03-08T20:26:40.12345"))
  }

  @Test func aProgramWithoutAStoreReadsTheSame() {
    let read = Mutex<[Agenda.State?]>([])
    let bench = Bench()
    var configuration = Transceiver.Configuration()
    configuration.coding = .readable
    let transceiver = bench.transceiver(configuration)
    transceiver.onReset { reset in
      let state = try reset.state(as: Agenda.State.self)
      read.withLock { $0.append(state) }
    }
    transceiver.resume()
    bench.reset(to: #"{"meetings":{"\#(Self.id)":"2001-01-01T00:00:01Z"}}"#)
    bench.reset(to: nil)
    #expect(bench.sink.waitForAnswers(2))
    let date = Date(timeIntervalSinceReferenceDate: 1)
    #expect(read.withLock { $0 } == [Agenda.State(meetings: [Self.id: date]), nil])
  }
}
