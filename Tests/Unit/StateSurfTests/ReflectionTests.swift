import Dispatch
import Glibc
import StateSurf
import SurfNetwork
import SurfStore
import SurfWire
import Testing

/// A state that is not Codable: it has a closure.
private struct Engine: Sendable {
  enum Gear { case idle, moving }
  var gear = Gear.idle
  var fuel = 5.0
  let start: @Sendable () -> Void = {}

  static let reducer = Reducer<Gear, Engine> { gear, state in
    let wasIdle = state.gear == .idle
    state.gear = gear
    return gear == .moving && wasIdle ? [.sync { .idle }] : []
  }
}

@Suite struct ReflectionTests {
  private let bench = Bench()
  private let transceiver: Transceiver

  init() {
    var configuration = Transceiver.Configuration()
    // Each record has its state whole.
    configuration.sendsDeltas = false
    transceiver = bench.transceiver(configuration)
    transceiver.resume()
  }

  private var records: [Record] {
    transceiver.flush(timeout: .seconds(60))
    return bench.sink.records
  }

  private func isEngine(_ record: Record, in gear: String) -> Bool {
    let begin = #"{"fuel":5,"gear":"\#(gear)","start":"#
    return record.state.text?.hasPrefix(begin) == true
  }

  @Test func `a state that is not Codable is recorded as reflection sees it`() throws {
    transceiver.record(action: Engine.Gear.idle, reflecting: Engine())
    let record = try #require(records.first)
    #expect(records.count == 1)
    #expect(record.kind == .action)
    #expect(record.name == "idle")
    #expect(record.payload?.type == "application/json")
    #expect(isEngine(record, in: "idle"))
  }

  @Test func `a store whose state is not Codable is recorded while its token is kept`() {
    let store = Store(initial: Engine(), reducer: Engine.reducer)
    let token = transceiver.record(reflecting: store)
    store.dispatch(.moving)
    token.cancel()
    store.dispatch(.idle)
    let records = records
    #expect(records.map(\.name) == ["moving", "idle"])
    #expect(records.map(\.parent) == [0, 1])
    #expect(zip(records, ["moving", "idle"]).allSatisfy(isEngine))
  }

  @Test func `a store is recorded in applied order whenever its token is there`() throws {
    let store = Store(
      initial: [Int](),
      reducer: Reducer<Int, [Int]>.reduce { action, state in
        state.append(action)
        if action % 5 == 0 { usleep(20) }
      })
    DispatchQueue.concurrentPerform(iterations: 9) { [transceiver] thread in
      for index in 0..<50 {
        guard thread == 8 else {
          store.dispatch(thread * 50 + index)
          continue
        }
        let token = transceiver.record(reflecting: store)
        usleep(100)
        token.cancel()
      }
    }
    let token = transceiver.record(reflecting: store)
    store.dispatch(400)
    token.cancel()
    let applied = store.state
    let lengths = try records.map { record in
      let text = try #require(record.state.text)
      let length = text.count { $0 == "," } + 1
      #expect(record.name == "\(applied[length - 1])")
      return length
    }
    #expect(lengths.last == applied.count)
    #expect(lengths == lengths.sorted())
  }

  @Test func `nothing is evaluated while nothing is resumed`() {
    let silent = bench.transceiver()
    func fail() -> Engine { fatalError("evaluated") }
    #expect(silent.record(action: Engine.Gear.idle, reflecting: fail()) == nil)
  }
}
