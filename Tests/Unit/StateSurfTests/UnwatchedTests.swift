import Foundation
import StateSurf
import SurfObserver
import SurfThreads
import SurfWire
import TestSupport
import Testing

/// What an app leaves out while nobody watches.
@Suite struct UnwatchedTests {
  private let bench = Bench()

  private func transceiver(
    _ choice: Transceiver.Configuration.Thinning.WhenUnwatched
  ) -> Transceiver {
    var configuration = Transceiver.Configuration()
    configuration.thinning.whenUnwatched = choice
    configuration.sendsDeltas = false
    return bench.transceiver(configuration)
  }

  /// A record as the model and the sink have it.
  private struct Line: Equatable, CustomStringConvertible {
    var name: String
    var state: String?
    var description: String { "\(name): \(state ?? "none")" }
  }

  private var lines: [Line] {
    bench.sink.records.map { record in
      let state =
        record.state == .givenUp
        ? "left out" : record.state.content.map { String(decoding: $0.bytes, as: UTF8.self) }
      return Line(name: record.name, state: state)
    }
  }

  private struct Model {
    let count: Int
    var isWatched = false
    var lines: [Line] = []
    private var run = 0
    private var leftOut = 0
    private var newest: String?

    init(_ choice: Transceiver.Configuration.Thinning.WhenUnwatched) {
      count =
        switch choice {
        case .everything: 1
        case .newestState: .max
        case .everyNth(let count): count
        }
    }

    mutating func act(_ number: Int) {
      tell()
      let state = "{\"number\":\(number)}"
      run += 1
      let isLeftOut = !isWatched && run < count
      if isLeftOut { (leftOut, newest) = (leftOut + 1, state) } else { (run, newest) = (0, nil) }
      lines.append(Line(name: "act \(number)", state: isLeftOut ? "left out" : state))
    }

    mutating func log(_ number: Int) {
      tell()
      lines.append(Line(name: "line \(number)"))
    }

    mutating func tell(isEnd: Bool = false) {
      guard isWatched || isEnd, leftOut > 0 else { return }
      let states = leftOut == 1 ? "1 state" : "\(leftOut) states"
      lines.append(Line(name: "\(states) left out while nobody watched", state: newest))
      (run, leftOut, newest) = (0, 0, nil)
    }
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func `what is left out is marked, and the newest state comes with the viewer`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let choices: [Transceiver.Configuration.Thinning.WhenUnwatched] = [
      .everything, .newestState, .everyNth(3), .everyNth(1), .everyNth(-1),
    ]
    let choice = choices[Int(seed % 5)]
    let app = transceiver(choice)
    var model = Model(choice)
    bench.sink.isWatched = false
    app.resume()
    for number in 0..<60 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        // What was recorded before was recorded for nobody.
        #expect(app.flush(timeout: .seconds(600)))
        bench.sink.isWatched = false
        model.isWatched = false
      case 1:
        #expect(app.flush(timeout: .seconds(600)))
        bench.arrive()
        #expect(app.flush(timeout: .seconds(600)))
        model.isWatched = true
        model.tell()
      case 2:
        app.log("line \(number)")
        model.log(number)
      default:
        app.record(action: "act \(number)", state: ["number": number])
        model.act(number)
      }
    }
    app.suspend()
    model.tell(isEnd: true)
    let expected = model.lines
    #expect(lines == expected)
    let sequences = bench.sink.records.map(\.sequence.rawValue)
    #expect(sequences == Array(1...UInt64(sequences.count)))
  }

  @Test func `a parent is found behind a mark`() {
    let app = transceiver(.newestState)
    bench.sink.isWatched = false
    app.resume()
    let first = app.record(action: "first", state: [1])
    app.flush(timeout: .seconds(600))
    bench.arrive()
    app.flush(timeout: .seconds(600))
    let second = app.record(action: "second", state: [2], parent: first)
    app.record(action: "third", state: [3], parent: second)
    app.flush(timeout: .seconds(600))
    let parents = bench.sink.records.map(\.parent.rawValue)
    #expect(parents == [0, 0, 1, 3])
  }

  @Test func `a newest state that cannot be encoded is told, and the app is at its mark`() {
    let app = transceiver(.newestState)
    bench.sink.isWatched = false
    app.resume()
    app.record(action: "odd", state: [Double.nan])
    app.flush(timeout: .seconds(600))
    bench.arrive()
    app.record(action: "good", state: [1])
    app.flush(timeout: .seconds(600))
    let names = bench.sink.records.map(\.name)
    let expected = [
      "odd", "1 state left out while nobody watched",
      "state not recorded: [0]: nan cannot be encoded", "good",
    ]
    #expect(names == expected)
    // A mark without a state had none; this one had one that was not sent (Protocol.md §11.7).
    #expect(bench.sink.records[1].state == .givenUp)
    #expect(!bench.sink.events.contains(.leftRecords))
  }

  @Test func `nothing is left out by default`() {
    let app = bench.transceiver()
    bench.sink.isWatched = false
    app.resume()
    for number in 0..<5 { app.record(action: "act", state: [number]) }
    app.flush(timeout: .seconds(600))
    #expect(bench.sink.records.allSatisfy { $0.carriesState })
    #expect(bench.configurations.allSatisfy { $0.onArrival == nil })
  }
}

/// The same over a real network.
@Suite(.timeLimit(.minutes(15))) struct UnwatchedNetworkTests {
  private struct Heard {
    var session: SessionID?
    var records: [Record] = []
    private var decoder = RecordDecoder()

    mutating func take(_ arrived: ArrivedRecord) {
      if let record = decoder.make(arrived) { records.append(record) }
    }
  }

  private func wait(until isSo: () -> Bool) -> Bool {
    let end = Date(timeIntervalSinceNow: 300)
    while !isSo() {
      guard Date() < end else { return false }
      usleep(5_000)
    }
    return true
  }

  @Test func `who comes late sees rows without states, and where the app is`() throws {
    var configuration = Transceiver.Configuration()
    configuration.port = UInt16(51_000 + 2 * (getpid() % 5_000))
    configuration.registersDNSSD = false
    configuration.thinning.whenUnwatched = .newestState
    let app = Transceiver(name: "unwatched", configuration: configuration)
    app.resume()
    defer { app.suspend() }
    let heard = Monitor(Heard())
    var observation = Observer.Configuration()
    observation.port = configuration.port
    observation.browsesDNSSD = false
    let viewer = try Observer(configuration: observation) { event in
      heard.withLock { heard in
        switch event {
        case .appeared(let session, _, _): heard.session = session
        case .record(_, let arrived): heard.take(arrived)
        default: break
        }
      }
    }
    defer { viewer.stop() }
    #expect(wait { heard.withLock { $0.session != nil } })
    for number in 1...100 { app.record(action: "act \(number)", state: ["number": number]) }
    app.flush(timeout: .seconds(300))
    let session = try #require(heard.withLock { $0.session })
    viewer.follow(session, since: .since(1))
    #expect(wait { heard.withLock { $0.records.contains { $0.kind == .mark } } })
    app.record(action: "watched", state: ["number": 101])
    #expect(wait { heard.withLock { $0.records.contains { $0.name == "watched" } } })
    let records = heard.withLock { $0.records }.sorted { $0.sequence < $1.sequence }
    let leftOut = records.prefix(100).count { $0.state == .givenUp && $0.kind == .action }
    #expect(leftOut == 100)
    let mark = try #require(records.first { $0.kind == .mark })
    #expect(mark.name == "100 states left out while nobody watched")
    let state = mark.state.content.map { String(decoding: $0.bytes, as: UTF8.self) }
    #expect(state == "{\"number\":100}")
    #expect(records.last?.state.content != nil)
  }
}
