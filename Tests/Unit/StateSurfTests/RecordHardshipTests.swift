import Foundation
import StateSurf
import SurfThreads
import SurfWire
import TestSupport
import Testing

/// Values that nobody likes to encode: the history says what is missing, and the app goes on.
@Suite struct RecordHardshipTests {
  private static let isLong = ProcessInfo.processInfo.environment["STATESURF_LONG"] == "1"
  private let bench = Bench()

  /// Records one state and an ordinary one behind it.
  private func records(
    of state: some Encodable & Sendable, _ coding: Transceiver.Configuration.Coding = .foundation
  ) -> [Record] {
    var configuration = Transceiver.Configuration()
    configuration.coding = coding
    let transceiver = bench.transceiver(configuration)
    transceiver.resume()
    transceiver.record(action: "odd", state: state)
    transceiver.record(action: "good", state: ["a": 1])
    transceiver.flush(timeout: .seconds(600))
    let records = bench.sink.records
    #expect(records.first?.name == "odd" && records.last?.name == "good")
    #expect(records.last?.state.text == #"{"a":1}"#)
    return records
  }

  private func fault(in records: [Record]) -> String? {
    records.first { $0.kind == .log(.error) }?.name
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `a number that JSON lacks is told with its place`(number: Double) {
    let fault = fault(in: records(of: ["rows": [1, number]]))
    #expect(fault == "state not recorded: rows[1]: \(number) cannot be encoded")
  }

  @Test func `dates of every year are recorded`() throws {
    let seconds = [-1e300, -63_113_904_001, 252_423_993_600, 1e300]
    let dates = seconds.map { Date(timeIntervalSinceReferenceDate: $0) }
    for coding in [Transceiver.Configuration.Coding.foundation, .readable] {
      let state = records(of: dates, coding).first { $0.name == "odd" }?.state.text
      let read = try JSONDecoder().decode([Double].self, from: Data((state ?? "").utf8))
      #expect(read == seconds)
    }
    let odd = Date(timeIntervalSinceReferenceDate: .infinity)
    let fault = fault(in: records(of: [odd], .readable))
    #expect(fault?.hasPrefix("state not recorded: [0]: ") == true)
  }

  @Test func `a key of a megabyte is recorded`() {
    let key = String(repeating: "k", count: 1 << 20)
    #expect(records(of: [key: 1]).first?.state.text == "{\"\(key)\":1}")
  }

  @Test func `an object of very many members is recorded`() {
    let count = Self.isLong ? 1_000_000 : 50_000
    let state = Dictionary(uniqueKeysWithValues: (0..<count).map { ("key \($0)", $0) })
    let records = records(of: state)
    let text = records.first?.state.text ?? ""
    #expect(fault(in: records) == nil)
    #expect(text.utf8.count { $0 == UInt8(ascii: ":") } == count)
  }

  private struct Tower: Encodable {
    let height: Int
    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      if height > 0 { try container.encode(Tower(height: height - 1)) }
    }
  }

  @Test func `a state of 100,000 levels is told`() {
    let fault = fault(in: records(of: Tower(height: 100_000)))
    #expect(fault == "state not recorded: nested more than 500 deep")
  }

  /// Unchecked: nobody changes it.
  private final class Knot: Encodable, @unchecked Sendable {
    var others: [Knot] = []
  }

  @Test func `an object that contains itself is told`() {
    let knot = Knot()
    knot.others = [Knot(), knot]
    #expect(fault(in: records(of: knot)) == "state not recorded: nested more than 500 deep")
    knot.others = []
  }

  @Test func `half of a pair of surrogates is recorded as what Unicode has for it`() {
    let text = String(decoding: [0x61, 0xd800, 0x62] as [UInt16], as: UTF16.self)
    #expect(records(of: [text: text]).first?.state.text == "{\"a\u{fffd}b\":\"a\u{fffd}b\"}")
  }

  private struct Failure: Error, CustomStringConvertible { let description = "no luck" }

  private struct Failing: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      for index in 0..<100 { try container.encode(index) }
      throw Failure()
    }
  }

  @Test func `an error that a value throws half-way is told`() {
    #expect(fault(in: records(of: ["a": [Failing()]])) == "state not recorded: no luck")
  }

  private struct Telling: Encodable {
    let tell: @Sendable () -> Void
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      tell()
      try container.encode("told")
    }
  }

  @Test(arguments: [Transceiver.Configuration.WhenFull.giveUpStates, .wait])
  func `a value may record while it is encoded`(whenFull: Transceiver.Configuration.WhenFull) {
    var configuration = Transceiver.Configuration()
    configuration.whenFull = whenFull
    let transceiver = bench.transceiver(configuration)
    transceiver.resume()
    let inner = Telling { transceiver.log("within the inner") }
    let outer = Telling {
      transceiver.log("within")
      transceiver.record(action: "inner", state: inner)
    }
    transceiver.record(action: "outer", state: outer)
    #expect(bench.sink.waitForRecords(4))
    let names = bench.sink.records.map(\.name)
    #expect(names == ["outer", "within", "inner", "within the inner"])
    #expect(bench.sink.records.compactMap(\.state.text) == [#""told""#, #""told""#])
  }

  @Test func `a value may dispatch while it is encoded`() {
    let counter = HistoryTransceiver<Counter>(transceiver: bench.transceiver())
    counter.resume()
    let store = counter.store
    counter.transceiver.record(action: "outer", state: Telling { store.dispatch(.increment) })
    #expect(bench.sink.waitForRecords(2))
    let states = bench.sink.records.map(\.state.text)
    #expect(states == [#""told""#, #"{"count":1,"ratio":0}"#])
  }

  /// Ends only when it is let go.
  private struct Endless: Encodable {
    let gate: Monitor<Bool>
    func encode(to encoder: any Encoder) throws {
      _ = gate.wait(until: nil) { $0 }
      var container = encoder.singleValueContainer()
      try container.encode("late")
    }
  }

  @Test func `a value whose encoding does not end holds up nobody`() {
    let gate = Monitor(false)
    let transceiver = bench.transceiver()
    transceiver.resume()
    transceiver.record(action: "endless", state: Endless(gate: gate))
    let count = 70_000
    for number in 0..<count { transceiver.record(action: "more", state: [number]) }
    let counters = transceiver.counters
    #expect(counters.recordGivenUpCount > 0)
    #expect(counters.recordCount + counters.recordGivenUpCount >= count)
    #expect(!transceiver.flush(timeout: .milliseconds(1)))
    gate.withLock { $0 = true }
    #expect(transceiver.flush(timeout: .seconds(600)))
    let records = bench.sink.records
    let last = records.last { $0.state.content != nil }?.state.text
    #expect(records.first?.state.text == #""late""#)
    #expect(last == "[\(count - 1)]")
    #expect(records.contains { $0.kind == .mark && $0.name.hasSuffix(" given up") })
  }
}
