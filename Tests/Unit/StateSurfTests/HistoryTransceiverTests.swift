import Foundation
import StateSurf
import SurfNetwork
import SurfStore
import SurfWire
import SwiftRexStyle
import Testing

@Suite("A store that can be surfed")
struct HistoryTransceiverTests {
  private let bench = Bench()

  private func counter() -> HistoryTransceiver<Counter> {
    let history = HistoryTransceiver<Counter>(transceiver: bench.transceiver())
    history.resume()
    return history
  }

  @Test func everyStepIsARecord() {
    let history = counter()
    let line = #line + 1
    history.store.dispatch(.increment)
    history.store.dispatch(.increment)
    history.suspend()
    let records = bench.sink.records
    #expect(records.map(\.name) == ["increment", "increment"])
    #expect(records.map(\.state.text) == [#"{"count":1,"ratio":0}"#, #"{"count":2,"ratio":0}"#])
    #expect(records[0].source == "StateSurfTests/HistoryTransceiverTests.swift:\(line)")
  }

  @Test func anEffectsActionNamesItsParent() {
    let history = counter()
    history.store.dispatch(.increment)
    history.store.dispatch(.incrementTwice)
    history.suspend()
    #expect(bench.sink.records.map(\.parent) == [0, 0, 2, 2])
  }

  @Test func `a middleware's action names the record that it came of`() {
    let history = counter()
    history.store.install(
      BridgeMiddleware<Counter.Action, Counter.Action>(file: "App/Bridge.swift", line: 7) {
        if case .incrementTwice = $0 { [.increment] } else { [] }
      }.lift(state: ignore))
    let line = #line + 1
    history.store.dispatch(.incrementTwice)
    history.suspend()
    let records = bench.sink.records
    // The middleware's increment was enqueued before the reducer's effects ran.
    #expect(records.map(\.parent) == [0, 1, 1, 1])
    #expect(
      records[1].source
        == "App/Bridge.swift:7 (Bridged from incrementTwice at "
        + "StateSurfTests/HistoryTransceiverTests.swift:\(line))")
  }

  @Test(.timeLimit(.minutes(10)), arguments: [false, true])
  func `a reset cancels running effects if it was asked to`(cancels: Bool) async {
    let history = HistoryTransceiver<Counter>(
      transceiver: bench.transceiver(), cancelsEffectsOnRestore: cancels)
    history.resume()
    let (sleeping, waker) = AsyncStream.makeStream(of: Void.self)
    let (ends, ending) = AsyncStream.makeStream(of: Bool.self)
    let token = history.store.run(
      .run { _ in
        for await _ in sleeping {}
        ending.yield(Task.isCancelled)
      })
    bench.reset(to: #"{"count":7,"ratio":0.5}"#)
    #expect(bench.sink.waitForAnswers(1))
    waker.finish()
    var iterator = ends.makeAsyncIterator()
    #expect(await iterator.next() == cancels)
    history.suspend()
    token.cancel()
  }

  /// What viewers are told of where the program is: its rows, and when it left them.
  private var path: [String] {
    bench.sink.events.compactMap { event in
      switch event {
      case .record(let record): "\(record.sequence)"
      case .leftRecords: "elsewhere"
      default: nil
      }
    }
  }

  @Test func whoActsUnseenIsElsewhere() {
    let history = HistoryTransceiver<Counter>(transceiver: bench.transceiver())
    history.store.dispatch(.increment)
    history.resume()
    for _ in 0..<2 { history.store.dispatch(.increment) }
    history.suspend()
    for _ in 0..<3 { history.store.dispatch(.increment) }
    history.resume()
    history.store.dispatch(.increment)
    history.suspend()
    #expect(path == ["elsewhere", "1", "2", "elsewhere", "3"])
  }

  @Test func whoseStateCannotBeToldIsElsewhere() {
    let history = counter()
    history.store.dispatch(.increment)
    history.store.dispatch(.divideByZero)
    history.transceiver.log("still alive")
    history.suspend()
    #expect(path == ["1", "2", "3", "elsewhere", "4"])
  }

  @Test func nothingIsRecordedBeforeResume() {
    let history = HistoryTransceiver<Counter>(transceiver: bench.transceiver())
    history.store.dispatch(.increment)
    history.resume()
    history.store.dispatch(.increment)
    history.suspend()
    #expect(bench.sink.records.map(\.sequence) == [1])
    #expect(history.store.state.count == 2)
  }

  @Test func anUnencodableStateIsAnErrorAndTheAppGoesOn() {
    let history = counter()
    history.store.dispatch(.divideByZero)
    history.store.dispatch(.increment)
    history.suspend()
    #expect(bench.sink.records.map(\.kind).prefix(3) == [.action, .log(.error), .action])
    #expect(bench.sink.records[1].name == "state not recorded: ratio: inf cannot be encoded")
    #expect(history.store.state == Counter.State(count: 1, ratio: .infinity))
    #expect(history.transceiver.counters.failureCount == 2)
  }

  @Test func aHundredResetsToARowAddNoRecords() {
    let history = counter()
    for count in 1...100 {
      bench.reset(to: #"{"count":\#(count),"ratio":0.5}"#, from: 1)
      #expect(bench.sink.waitForAnswers(count))
      #expect(history.store.state == Counter.State(count: count, ratio: 0.5))
    }
    #expect(bench.sink.answers.allSatisfy { $0 == .applied })
    history.store.dispatch(.increment)
    // The thread that restored may still be the store's, and make this step for us.
    #expect(bench.sink.waitForRecords(1))
    history.suspend()
    #expect(bench.sink.records.map(\.sequence) == [1])
    #expect(bench.sink.records.first?.state.text == #"{"count":101,"ratio":0.5}"#)
  }

  @Test func `a state that no row has makes one, which says whose it is`() {
    let history = counter()
    let state = #"{"count":7,"ratio":0.5}"#
    #expect(bench.restore(state, at: .elsewhere, request: 1) == .applied)
    var reset = IncomingReset(
      viewerName: "ada", state: Content(type: "application/json", bytes: Array(state.utf8)))
    (reset.request, reset.fileName) = (2, "seven.json")
    bench.bring(reset)
    #expect(bench.sink.waitForAnswers(2))
    // What is refused makes none.
    #expect(bench.restore("[]", at: .elsewhere, request: 3) != .applied)
    #expect(bench.restore(nil, at: .elsewhere, request: 4) == .applied)
    history.suspend()
    let rows = bench.sink.records
    #expect(rows.map(\.kind) == [.restored, .restored])
    #expect(rows.map(\.name) == ["a state from ada", "seven.json from ada"])
    #expect(rows.map(\.dispatcher) == ["ada", "ada"])
    #expect(rows.first?.state.text == state)
    let places = bench.sink.places
    #expect(places == [.record(1), .record(2), .elsewhere, .initial])
  }

  @Test(arguments: [nil, ""])
  func noBytesAreTheBeginning(state: String?) {
    let history = counter()
    history.store.dispatch(.increment)
    bench.reset(to: state)
    #expect(bench.sink.waitForAnswers(1))
    #expect(bench.sink.answers == [.applied])
    #expect(history.store.state == Counter.State())
  }

  @Test(arguments: [
    (#"{"ratio":1}"#, #"no value for "count""#),
    (#"{"count":"x","ratio":1}"#, "count: Expected to decode Int but found a string instead."),
    (#"{"count":null,"ratio":1}"#, "count: "),
    ("{", "not JSON: line 1, column 2: the text ends inside a value"),
    ("{\n  \"count\": 1,\n}", "not JSON: line 3, column 1: unexpected '}'"),
    (#"{"count":1,"ratio":[1,]}"#, "not JSON: line 1, column 23: unexpected ']'"),
    (
      #"{"count":1,"ratio":1,"count":2}"#,
      "not JSON: line 1, column 22: a key that this object has already"
    ),
  ])
  func whatDoesNotDecodeIsRejectedAndChangesNothing(state: String, reason: String) throws {
    let history = counter()
    history.store.dispatch(.increment)
    bench.reset(to: state)
    #expect(bench.sink.waitForAnswers(1))
    guard case .rejected(let text) = try #require(bench.sink.answers.first) else {
      Issue.record("not rejected")
      return
    }
    #expect(text.hasPrefix("not a StateSurfTests.Counter.State: \(reason)"))
    #expect(history.store.state == Counter.State(count: 1))
  }

  @Test func theAnswerComesBetweenTheRecordsBeforeAndAfter() throws {
    let history = counter()
    for _ in 1...500 { history.store.dispatch(.increment) }
    bench.reset(to: nil)
    while history.store.state != Counter.State() { sched_yield() }
    history.store.dispatch(.increment)
    #expect(bench.sink.waitForRecords(501))
    history.suspend()
    let answer = try #require(
      bench.sink.events.firstIndex { if case .answer = $0 { true } else { false } })
    let before = bench.sink.events[..<answer].count {
      if case .record = $0 { true } else { false }
    }
    #expect(before == 500)
    #expect(bench.sink.records.last?.state.text == #"{"count":1,"ratio":0}"#)
  }

  @Test func aReaderOfTheTypesOwnIsHonoured() {
    enum Shouting: StateSurfable {
      struct State: StateInitializable, Equatable {
        var word = ""
        init() {}
        init?(from data: Data) {
          word = String(decoding: data, as: UTF8.self)
          guard word == word.uppercased() else { return nil }
        }
      }
      static let reducer = Reducer<Never, State>.identity
    }
    let history = HistoryTransceiver<Shouting>(transceiver: bench.transceiver())
    history.resume()
    bench.reset(to: "HO")
    #expect(bench.sink.waitForAnswers(1))
    #expect(history.store.state.word == "HO")
    bench.reset(to: #"{"word":"ho"}"#)
    #expect(bench.sink.waitForAnswers(2))
    #expect(history.store.state.word == "HO")
    guard case .rejected(let reason) = bench.sink.answers[1] else {
      Issue.record("not rejected")
      return
    }
    #expect(reason.hasSuffix("its init?(from:) returned nil"))
  }

  @Test func theStoreWorksTheSameWithEverythingOff() {
    let off = bench.transceiver(environment: ["STATESURF": "off"])
    let history = HistoryTransceiver<Counter>(transceiver: off)
    history.resume()
    history.store.dispatch(.incrementTwice)
    #expect(history.store.state.count == 2)
    #expect(bench.configurations.isEmpty)
  }

  @Test(arguments: [false, true])
  func `a state from a file is row 0, and a reducer may hold the program's values`(isOff: Bool) {
    let step = 5
    let history = HistoryTransceiver<Counter>(
      transceiver: bench.transceiver(environment: isOff ? ["STATESURF": "off"] : [:]),
      initial: Counter.State(count: 40),
      reducer: .reduce { action, state in if case .increment = action { state.count += step } })
    history.resume()
    history.store.dispatch(.increment)
    history.store.dispatch(.increment)
    #expect(history.store.state.count == 50)
    guard !isOff else { return }
    #expect(bench.perform(#"{"command":"toggle","row":1}"#) == .applied)
    #expect(history.store.state.count == 45)
    #expect(bench.perform(#"{"command":"rollback"}"#) == .applied)
    #expect(history.store.state.count == 40)
    history.store.dispatch(.increment)
    bench.reset(to: nil)
    #expect(bench.sink.waitForAnswers(3))
    #expect(history.store.state.count == 40)
    #expect(bench.perform(#"{"command":"describe"}"#) == .applied)
    history.suspend()
    let told = bench.sink.records.last?.payload.map { String(decoding: $0.bytes, as: UTF8.self) }
    #expect(told?.contains(#""initial":{"count":40,"ratio":0}"#) == true)
  }

  @Test func nothingKeepsAnUnusedTransceiverAlive() {
    weak var transceiver: Transceiver?
    weak var store: Store<Counter.Action, Counter.State>?
    do {
      let history = counter()
      history.store.dispatch(.increment)
      transceiver = history.transceiver
      store = history.store
    }
    #expect(transceiver == nil)
    #expect(store == nil)
  }

  @Test func aStoreThatIsDispatchedToFromManyThreadsIsRecordedInOrder() {
    let history = HistoryTransceiver<Counter>(transceiver: bench.transceiver(bench.waiting()))
    history.resume()
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 1...200 { history.store.dispatch(.increment) }
    }
    #expect(history.transceiver.flush(timeout: .seconds(60)))
    #expect(
      bench.sink.records.map(\.state.text)
        == (1...1_600).map { #"{"count":\#($0),"ratio":0}"# })
  }
}
