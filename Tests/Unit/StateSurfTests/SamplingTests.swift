import Foundation
import StateSurf
import SurfLive
import SurfStore
import SurfThreads
import SurfWire
import TestSupport
import Testing

/// States that differ at sampled places alone.
@Suite struct SamplingTests {
  private let bench = Bench()

  private struct Place: Codable, Equatable, Sendable {
    var x = 0
    var y = 0
  }

  private struct Desk: Codable, Equatable, Sendable {
    var clock = 0
    var note = 0
    var cursor: Place? = Place()
    var ratio = 0.0

    /// Where something must differ for a state to be told.
    var rest: Desk {
      var rest = self
      rest.clock = 0
      rest.cursor?.x = 0
      return rest
    }

    var text: String {
      let cursor = cursor.map { #""cursor":{"x":\#($0.x),"y":\#($0.y)},"# } ?? ""
      return #"{"clock":\#(clock),\#(cursor)"note":\#(note),"ratio":0}"#
    }
  }

  private func configuration(_ paths: [String]) -> Transceiver.Configuration {
    var configuration = bench.waiting()
    configuration.thinning.sampled = paths
    configuration.thinning.interval = .seconds(3_600)
    configuration.sendsDeltas = false
    return configuration
  }

  /// What viewers get, as the model and the sink have it.
  private struct Line: Equatable, CustomStringConvertible {
    var name: String
    var state: String?
    var description: String { "\(name): \(state ?? "none")" }
  }

  private var lines: [Line] {
    bench.sink.events.compactMap { event in
      switch event {
      case .record(let record):
        Line(
          name: record.name, state: record.state == .givenUp ? "left out" : record.state.text)
      case .answer: Line(name: "answer")
      case .resumed, .suspended, .announced, .gaveUp, .leftRecords: nil
      }
    }
  }

  /// With an interval that never ends.
  private struct Model {
    private(set) var lines: [Line] = []
    private var newest: Desk?
    private var isNewestLeftOut = false
    private var leftOut = 0

    mutating func act(_ name: String, _ desk: Desk) {
      isNewestLeftOut =
        newest.map { $0.rest == desk.rest && $0 != desk } ?? false
      // Nothing between that and the state before is told.
      if isNewestLeftOut { leftOut += 1 }
      lines.append(Line(name: name, state: isNewestLeftOut ? "left out" : desk.text))
      newest = desk
    }

    mutating func fail(_ name: String) {
      lines.append(Line(name: name))
      lines.append(Line(name: "state not recorded: ratio: nan cannot be encoded"))
      forget()
    }

    mutating func forget() { (newest, isNewestLeftOut) = (nil, false) }

    mutating func other(_ name: String) { lines.append(Line(name: name)) }

    mutating func mark() {
      guard leftOut > 0 else { return }
      let states = leftOut == 1 ? "1 state" : "\(leftOut) states"
      let name = "\(states) left out that differed only in clock, cursor.x"
      lines.append(Line(name: name, state: isNewestLeftOut ? newest?.text : nil))
      (leftOut, isNewestLeftOut) = (0, false)
    }
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `a state is told unless it differs at sampled places alone, and the newest is`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let app = bench.transceiver(configuration(["clock", "cursor.x"]))
    app.onReset { _ in }
    var model = Model()
    var desk = Desk()
    app.resume()
    for number in 0..<150 {
      let name = "act \(number)"
      switch Int.random(in: 0..<30, using: &random) {
      case 0:
        #expect(app.flush(timeout: .seconds(600)))
        model.mark()
        continue
      case 1:
        app.log("line")
        model.other("line")
        continue
      case 2:
        #expect(bench.restore(nil, at: .initial, request: UInt64(number)) == .applied)
        model.mark()
        model.other("answer")
        model.forget()
        continue
      case 3:
        app.suspend()
        app.resume()
        model.mark()
        continue
      case 4:
        desk.ratio = .nan
        app.record(action: name, state: desk)
        desk.ratio = 0
        model.fail(name)
        continue
      case 5: desk.note += 1
      case 6: desk.cursor = desk.cursor == nil ? Place() : nil
      case 7: desk.cursor?.y += 1
      case 8: break
      case 9..<20: desk.clock += 1
      default:
        desk.cursor?.x += Int.random(in: -1...1, using: &random)
        desk.clock += Int.random(in: 0...1, using: &random)
      }
      app.record(action: name, state: desk)
      model.act(name, desk)
    }
    app.suspend()
    model.mark()
    let (told, expected) = (lines, model.lines)
    #expect(told == expected)
    let sequences = bench.sink.records.map(\.sequence.rawValue)
    #expect(sequences == Array(1...UInt64(sequences.count)))
    let times = bench.sink.records.map(\.uptime)
    #expect(times == times.sorted())
  }

  @Test func `the newest state comes though nothing else happens`() {
    var configuration = configuration(["clock"])
    configuration.thinning.interval = .milliseconds(20)
    let app = bench.transceiver(configuration)
    app.resume()
    for clock in 0..<3 { app.record(action: "tick", state: Desk(clock: clock)) }
    let newest = Desk(clock: 2).text
    while bench.sink.records.last?.state.text != newest {
      guard bench.sink.waitForRecords(bench.sink.records.count + 1) else { break }
    }
    let told = bench.sink.records.last?.state.text
    #expect(told == newest)
  }

  @Test func `one state in a time is told while the clock goes on`() {
    var sampler = StateSampler(.thinning(sampled: ["clock"], every: .nanoseconds(100)))
    var told: [UInt64] = []
    for now in stride(from: UInt64(0), to: 1_000, by: 10) {
      let state = Content(type: "application/json", bytes: Array(#"{"clock":\#(now)}"#.utf8))
      if !sampler.leavesOut(state, at: Moment(uptime: now)) { told.append(now) }
    }
    #expect(told == Array(stride(from: 0, to: 1_000, by: 100)))
    #expect(sampler.deadline == 1_000)
    let mark = sampler.takeMark(at: 1_000)
    #expect(mark?.told == "90 states left out that differed only in clock")
    #expect(sampler.deadline == nil && sampler.takeMark(at: 2_000) == nil)
  }

  @Test func `what is no JSON is told, whatever its type says`() {
    let app = bench.transceiver(configuration(["clock"]))
    app.resume()
    let texts = [
      #"{"clock":1"#, #"{"clock":2"#, #"{"clock":tru}"#, #"{"clock":nop}"#, #""\"#, "",
      #"{"clock":"\"#,
    ]
    for type in ["application/json", "text/plain"] {
      for text in texts {
        app.record(action: "odd", state: Array(text.utf8), contentType: type)
      }
    }
    app.flush(timeout: .seconds(600))
    #expect(bench.sink.records.allSatisfy { $0.state != .givenUp })
  }

  @Test func `bytes that are nested without end do no harm`() {
    let app = bench.transceiver(configuration(["**.clock"]))
    app.resume()
    for _ in 0..<2 {
      let state = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
      app.record(action: "deep", state: state, contentType: "application/json")
    }
    app.flush(timeout: .seconds(600))
    let sizes = bench.sink.records.map(\.state.size)
    #expect(sizes == [1_000_000, 1_000_000])
  }

  @Test func `bytes that are JSON are sampled like values`() {
    let app = bench.transceiver(configuration(["clock"]))
    app.resume()
    for clock in [1, 2, 3] {
      app.record(
        action: "odd", state: Array(#"{"clock": \#(clock)}"#.utf8), contentType: "application/json")
    }
    app.flush(timeout: .seconds(600))
    let states = lines.map(\.state)
    #expect(states == [#"{"clock": 1}"#, "left out", "left out", #"{"clock": 3}"#])
  }

  @Test func `a path that cannot be read is ignored, with a warning`() {
    let app = bench.transceiver(configuration(["a..b", "clock"]))
    app.resume()
    for clock in 0..<3 { app.record(action: "tick", state: Desk(clock: clock)) }
    app.flush(timeout: .seconds(600))
    let names = bench.sink.records.map(\.name)
    let expected = [
      #"sampled path "a..b" cannot be read and was ignored"#, "tick", "tick", "tick",
      "2 states left out that differed only in clock",
    ]
    #expect(names == expected)
  }

  @Test func `nothing is sampled by default, nor by paths that lead nowhere`() {
    for app in [bench.transceiver(), bench.transceiver(configuration(["nowhere.at.all"]))] {
      app.resume()
      for clock in 0..<5 { app.record(action: "tick", state: Desk(clock: clock)) }
      app.flush(timeout: .seconds(600))
    }
    #expect(bench.sink.records.allSatisfy { $0.carriesState })
  }

  @Test func `states of equal actions and of nobody's time are sampled behind them`() {
    var configuration = configuration(["clock"])
    configuration.thinning.coalesced = ["tick"]
    configuration.thinning.whenUnwatched = .newestState
    let app = bench.transceiver(configuration)
    bench.sink.isWatched = false
    app.resume()
    for clock in 0..<5 { app.record(action: "tick", state: Desk(clock: clock)) }
    app.flush(timeout: .seconds(600))
    bench.arrive()
    app.flush(timeout: .seconds(600))
    for clock in 5..<9 { app.record(action: "tock", state: Desk(clock: clock)) }
    app.flush(timeout: .seconds(600))
    let expected = [
      Line(name: "tick", state: "left out"), Line(name: "tick", state: "left out"),
      Line(name: "2 states left out while nobody watched", state: Desk(clock: 4).text),
      Line(name: "tock", state: Desk(clock: 5).text), Line(name: "tock", state: "left out"),
      Line(name: "tock", state: "left out"), Line(name: "tock", state: "left out"),
      Line(
        name: "3 states left out that differed only in clock", state: Desk(clock: 8).text),
    ]
    let told = lines
    #expect(told == expected)
  }

  @Test func `an app keeps its secrets though the state with them was left out`() {
    struct Account: Codable, Sendable {
      var clock = 0
      @Redacted var token = ""
    }
    let app = bench.transceiver(configuration(["clock"]))
    let tokens = Monitor<[String?]>([])
    app.onReset { reset in
      let token = try reset.state(as: Account.self)?.token
      tokens.withLock { $0.append(token) }
    }
    app.resume()
    for clock in 0..<3 {
      app.record(action: "tick", state: Account(clock: clock, token: "\(clock)"))
    }
    #expect(app.flush(timeout: .seconds(600)))
    let state = #"{"clock":7,"token":{"$redacted":"string"}}"#
    #expect(bench.restore(state, at: .elsewhere, request: 1) == .applied)
    let all = tokens.withLock { $0 }
    #expect(all == ["2"])
    let told = bench.sink.records.suffix(2).map(\.state.text)
    #expect(told == [#"{"clock":2,"token":{"$redacted":"string"}}"#, state])
  }

  private enum Watch: StateSurfable {
    struct State: StateInitializable, Equatable { var clock = 0 }
    enum Action: Codable, Sendable { case tick }
    static let reducer = Reducer<Action, State>.reduce { _, state in state.clock += 1 }
  }

  @Test func `each action of a history keeps its row, and can be left out`() {
    let history = HistoryTransceiver<Watch>(
      transceiver: bench.transceiver(configuration(["clock"])))
    history.resume()
    for _ in 0..<5 { history.store.dispatch(.tick) }
    #expect(bench.perform(#"{"command":"toggle","row":3}"#) == .applied)
    #expect(history.store.state.clock == 4)
    let kinds = bench.sink.records.map(\.kind)
    #expect(kinds == Array(repeating: .action, count: 5) + [.revision, .mark])
    // The revision has told where the app is.
    #expect(bench.sink.records.last?.carriesState == false)
  }
}
