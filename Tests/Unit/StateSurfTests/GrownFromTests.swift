import Dispatch
import StateSurf
import SurfStore
import SurfWire
import Synchronization
import TestSupport
import Testing

/// A program that reacts to every fifth count that it is told of, and whose reactions have effects.
private enum Echoes: StateSurfable {
  struct State: StateInitializable, Equatable {
    var count = 0
    var ratio = 0.0
  }

  enum Action: CaseIterable, Sendable {
    case add
    /// A subscriber's; it has an effect.
    case react
    case echo
    /// Leads to a state that cannot be encoded.
    case spoil
  }

  static let reducer = Reducer<Action, State> { action, state in
    state.count += action == .echo ? 2 : 1
    state.ratio = action == .spoil ? .infinity : 0
    return action == .react ? [.sync { .echo }] : []
  }
}

/// Where each record grew from, by the rules alone (Protocol.md §8.1, §11.7).
private struct GrowthModel {
  var grownFrom: [GrownFrom?] = []
  /// What can be jumped to: the counts of the records with a state.
  var counts: [SequenceNumber: Int] = [:]
  var count = 0
  var isPaused = false
  private var position = Position.initial
  private var recorded = Position.initial
  private var moveCount: UInt64 = 0
  /// Whether it acted unseen last.
  private var isUnseen = false
  private var waiting: [(Echoes.Action, move: UInt64)] = []

  /// The subscriber is told of the state in which the program starts.
  mutating func begin() {
    told(move: 0)
    finish()
  }

  mutating func act(_ action: Echoes.Action) {
    waiting.append((action, 0))
    finish()
  }

  mutating func restore(_ count: Int, at target: Position) {
    (self.count, isUnseen) = (count, false)
    // A state that no row has makes one.
    if target == .elsewhere { keep(grownFrom: position == recorded ? nil : position) }
    if target != .elsewhere { position = target }
    moveCount += 1
    told(move: moveCount)
    finish()
  }

  mutating func refuse() { moveCount += 1 }

  mutating func pause(_ on: Bool) {
    isPaused = on
    grownFrom.append(nil)
  }

  private mutating func told(move: UInt64) {
    if count % 5 == 0 { waiting.append((.react, move)) }
  }

  private mutating func finish() {
    while !waiting.isEmpty {
      let (action, move) = waiting.removeFirst()
      count += action == .echo ? 2 : 1
      if isPaused { leaveUnseen() } else { record(action, move) }
      told(move: 0)
      if action == .react { waiting.append((.echo, isPaused ? 0 : move)) }
    }
  }

  private mutating func leaveUnseen() {
    if !isUnseen { (position, moveCount) = (.elsewhere, moveCount + 1) }
    isUnseen = true
  }

  private mutating func record(_ action: Echoes.Action, _ move: UInt64) {
    let isNews = position != recorded || move > 0
    grownFrom.append(isNews ? GrownFrom(from: position, move: WireCount(move)) : nil)
    isUnseen = false
    guard action != .spoil else {
      grownFrom.append(nil)
      (position, moveCount) = (.elsewhere, moveCount + 1)
      return
    }
    keep()
  }

  private mutating func keep(grownFrom origin: Position?) {
    grownFrom.append(origin.map { GrownFrom(from: $0) })
    keep()
  }

  /// The newest record has a state.
  private mutating func keep() {
    let row = SequenceNumber(UInt64(grownFrom.count))
    counts[row] = count
    (position, recorded) = (.record(row), .record(row))
  }
}

/// A program beside its model.
private final class Pair {
  let bench = Bench()
  let app: HistoryTransceiver<Echoes>
  var model = GrowthModel()
  private var requestCount: UInt64 = 0
  private var subscription: Subscription?

  init() {
    app = HistoryTransceiver(transceiver: bench.transceiver(bench.waiting()))
    app.resume()
    subscription = app.store.subscribe { [weak store = app.store] state in
      if state.count % 5 == 0 { store?.dispatch(.react) }
    }
    model.begin()
    settle()
  }

  /// Waits for the turns of reactions and of their effects, each of which follows the one before.
  private func settle() {
    for _ in 0..<6 {
      let isDone = DispatchSemaphore(value: 0)
      app.store.revise { _ in
        nil
      } completion: {
        isDone.signal()
      }
      isDone.wait()
    }
    #expect(app.transceiver.flush(timeout: .seconds(60)))
  }

  func act(_ action: Echoes.Action) {
    app.store.dispatch(action)
    model.act(action)
    settle()
  }

  func restore(_ count: Int, at target: Position) {
    requestCount += 1
    let state = target == .initial ? nil : #"{"count":\#(count),"ratio":0}"#
    #expect(bench.restore(state, at: target, request: requestCount) == .applied)
    model.restore(count, at: target)
    settle()
  }

  func refuse() {
    requestCount += 1
    #expect(bench.restore("[]", at: .elsewhere, request: requestCount) != .applied)
    model.refuse()
  }

  func pause(_ on: Bool) {
    #expect(bench.perform(#"{"command":"pause","on":\#(on)}"#) == .applied)
    model.pause(on)
    settle()
  }

  func step(using random: inout SeededGenerator) {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<10: act(.add)
    case 10: act(.spoil)
    case 11..<15:
      guard let row = model.counts.keys.sorted().randomElement(using: &random) else { return }
      restore(model.counts[row]!, at: .record(row))
    case 15: restore(0, at: .initial)
    case 16, 17: restore(Int.random(in: 0..<10, using: &random), at: .elsewhere)
    case 18: refuse()
    default: pause(!model.isPaused)
    }
  }

  func end() -> [Record] {
    subscription = nil
    app.suspend()
    return bench.sink.records
  }
}

@Suite struct GrownFromTests {
  @Test(arguments: 0..<60 as Range<UInt64>)
  func `every action says what it grew from, whatever happened before`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pair = Pair()
    for _ in 0..<40 { pair.step(using: &random) }
    #expect(pair.end().map(\.grownFrom) == pair.model.grownFrom)
  }

  @Test func `an action after a jump names the row of the jump`() {
    let bench = Bench()
    let transceiver = bench.transceiver()
    transceiver.onReset { _ in }
    transceiver.resume()
    for count in 1...3 { transceiver.record(action: "add", state: [count]) }
    transceiver.log("still here")
    #expect(transceiver.flush())
    #expect(bench.restore("[1]", at: .record(1), request: 1) == .applied)
    transceiver.log("there again")
    transceiver.record(action: "add", state: [2])
    transceiver.record(action: "add", state: [3])
    transceiver.suspend()
    #expect(
      bench.sink.records.map(\.grownFrom)
        == [nil, nil, nil, nil, nil, GrownFrom(from: .record(1)), nil])
  }

  @Test(.timeLimit(.minutes(10)))
  func `what an effect sends late still names the restore that led to it`() async {
    let bench = Bench()
    let (waits, waker) = AsyncStream.makeStream(of: Void.self)
    let app = HistoryTransceiver<Counter>(transceiver: bench.transceiver())
    app.resume()
    let effect = Mutex<Subscription?>(nil)
    let token = app.store.subscribe { [weak store = app.store] state in
      guard state.count == 7 else { return }
      let running = store?.run(.run { send in for await _ in waits { send(.increment) } })
      effect.withLock { $0 = running }
    }
    app.store.dispatch(.increment)
    let answer = await bench.restored(#"{"count":7,"ratio":0}"#, at: .elsewhere, request: 9)
    #expect(answer == .applied)
    app.store.dispatch(.increment)
    waker.yield()
    #expect(await bench.recorded(4))
    app.suspend()
    // The second is the state that was brought.
    #expect(
      bench.sink.records.map(\.grownFrom) == [nil, nil, nil, GrownFrom(from: .record(3), move: 1)])
    token.cancel()
  }

  @Test func `a history from a file begins elsewhere`() {
    let bench = Bench()
    let app = HistoryTransceiver<Counter>(transceiver: bench.transceiver())
    app.resume()
    app.store.dispatch(.increment)
    #expect(app.transceiver.flush())
    let steps =
      #"[{"name":"a","state":{"count":5,"ratio":0}},{"name":"b","state":{"count":6,"ratio":0}}]"#
    #expect(
      bench.perform(#"{"command":"import","committed":{"count":4,"ratio":0},"steps":\#(steps)}"#)
        == .applied)
    #expect(bench.perform(#"{"command":"import","steps":\#(steps)}"#) == .applied)
    app.suspend()
    let actions = bench.sink.records.filter { $0.kind == .action }
    #expect(
      actions.map(\.grownFrom)
        == [nil, GrownFrom(from: .elsewhere), nil, GrownFrom(from: .initial), nil])
  }
}
