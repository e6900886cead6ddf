import Foundation
import StateSurf
import SurfLive
import SurfNetwork
import SurfStore
import SurfThreads
import SurfWire
import TestSupport

/// A sink that remembers what it was told, and can be made to block as a slow network does.
// Unchecked: its variables are only touched while `condition`, which is a lock, is held.
final class RecordingSink: RecordSink, @unchecked Sendable {
  enum Event: Equatable {
    case resumed
    case suspended
    case record(Record)
    case answer(Outcome.Result)
    case announced(Heartbeat.Control)
    case gaveUp(Heartbeat.GivenUp)
    case leftRecords
  }

  private let condition = NSCondition()
  private var storedEvents: [Event] = []
  private var isBlocked = false
  private var isInSend = false
  private var waitEnd: Duration?
  private var isAudience = true
  private var storedPlaces: [Position] = []
  /// What the broadcaster keeps to pass requests on; set before the sink is used.
  var onReset: (@Sendable (IncomingReset) -> Void)?

  /// Where each reset led, in the order of the answers.
  var places: [Position] { locked { storedPlaces } }

  var isWatched: Bool {
    get { locked { isAudience } }
    set { locked { isAudience = newValue } }
  }

  var events: [Event] { locked { storedEvents } }

  var records: [Record] {
    events.compactMap { if case .record(let record) = $0 { record } else { nil } }
  }

  var gaveUp: [Heartbeat.GivenUp] {
    events.compactMap { if case .gaveUp(let givenUp) = $0 { givenUp } else { nil } }
  }

  var answers: [Outcome.Result] {
    events.compactMap { if case .answer(let result) = $0 { result } else { nil } }
  }

  func resume() { append(.resumed) }

  func suspend(within time: Duration) { append(.suspended) }

  func perform(_ command: BroadcastCommand) {
    switch command {
    case .control(let control): append(.announced(control))
    case .givenUp(let givenUp): append(.gaveUp(givenUp))
    case .leftRecords: append(.leftRecords)
    case .answer(let reset, let result):
      locked { storedPlaces.append(reset.position) }
      append(.answer(result))
    case .records(let records): send(records)
    case .share, .bound: break
    }
  }

  func send(_ records: [Record]) {
    locked {
      isInSend = true
      condition.broadcast()
      while isBlocked, waitEnd.map({ monotonicNow() < $0 }) ?? true {
        _ = condition.wait(until: Date(timeIntervalSinceNow: 0.01))
      }
      isInSend = false
      storedEvents += records.map(Event.record)
      condition.broadcast()
    }
  }

  func limitWaits(until end: Duration?) {
    locked {
      waitEnd = end
      condition.broadcast()
    }
  }

  func flush(timeout: Duration) -> Bool { true }

  /// From now on, `send` does not return.
  func block() { locked { isBlocked = true } }

  func unblock() {
    locked {
      isBlocked = false
      condition.broadcast()
    }
  }

  /// Waits until a thread is stuck in `send`.
  func waitForSend() -> Bool { wait { $0.isInSend } }

  func waitForRecords(_ count: Int) -> Bool {
    wait { $0.storedEvents.count { if case .record = $0 { true } else { false } } >= count }
  }

  func waitForSuspension() -> Bool { wait { $0.storedEvents.contains(.suspended) } }

  func waitForAnswers(_ count: Int) -> Bool {
    wait { $0.storedEvents.count { if case .answer = $0 { true } else { false } } >= count }
  }

  /// The end of a test that fails, not a time that one measures. Long simulations of other modules
  /// hold the few threads that tasks have: on a busy machine a task of ours has had its turn after
  /// seven minutes, and at the latest it has it when those are done.
  private func wait(until isSo: (RecordingSink) -> Bool) -> Bool {
    let deadline = Date(timeIntervalSinceNow: 1_100)
    return locked {
      while !isSo(self) {
        if !condition.wait(until: deadline) { return isSo(self) }
      }
      return true
    }
  }

  private func append(_ event: Event) {
    locked {
      storedEvents.append(event)
      condition.broadcast()
    }
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    condition.lock()
    defer { condition.unlock() }
    return body()
  }
}

/// Makes transceivers on recording sinks, and plays the viewer.
// Unchecked: its variables are only touched while `lock` is held.
final class Bench: @unchecked Sendable {
  let sink = RecordingSink()
  private let lock = NSLock()
  private var storedConfigurations: [Broadcaster.Configuration] = []
  private var onReset: (@Sendable (IncomingReset) -> Void)?

  /// One for every sink that was made.
  var configurations: [Broadcaster.Configuration] { lock.withLock { storedConfigurations } }

  func transceiver(
    _ configuration: Transceiver.Configuration = .init(), environment: [String: String] = [:]
  ) -> Transceiver {
    var configuration = configuration
    // On a busy machine a second is over before all is encoded, and the rest is given up.
    if configuration.farewell == Transceiver.Configuration().farewell {
      configuration.farewell = .seconds(600)
    }
    return Transceiver(name: "Test", configuration: configuration, environment: environment) {
      configuration, onReset in
      self.lock.withLock {
        self.storedConfigurations.append(configuration)
        self.onReset = onReset
      }
      return self.sink
    }
  }

  func waiting() -> Transceiver.Configuration {
    var configuration = Transceiver.Configuration()
    configuration.whenFull = .wait
    return configuration
  }

  /// A viewer follows, as the broadcaster tells it.
  func arrive() {
    sink.isWatched = true
    configurations.last?.onArrival?()
  }

  /// Brings a reset with this JSON, or with none, as the broadcaster does.
  func reset(to state: String?) {
    let content = state.map { Content(type: "application/json", bytes: Array($0.utf8)) }
    bring(IncomingReset(viewerName: "viewer", state: content))
  }

  /// The same, as taken from a row.
  func reset(to state: String, from row: SequenceNumber) {
    let content = Content(type: "application/json", bytes: Array(state.utf8))
    var reset = IncomingReset(viewerName: "viewer", state: content)
    reset.target = .record(row)
    bring(reset)
  }

  /// Brings a request of its own to be in a state, and waits for its answer.
  func restore(_ state: String?, at target: Position, request: UInt64) -> Outcome.Result? {
    let count = sink.answers.count
    let content = state.map { Content(type: "application/json", bytes: Array($0.utf8)) }
    bring(
      IncomingReset(
        request: request, viewer: ViewerID(rawValue: 1), viewerName: "ada", target: target,
        state: content))
    return sink.waitForAnswers(count + 1) ? sink.answers.last : nil
  }

  /// Brings a command, and waits for its answer.
  func perform(_ command: String) -> Outcome.Result? {
    let count = sink.answers.count
    let content = Content(type: "application/json", bytes: Array(command.utf8))
    var reset = IncomingReset(viewerName: "ada", state: content)
    reset.isCommand = true
    bring(reset)
    return sink.waitForAnswers(count + 1) ? sink.answers.last : nil
  }

  /// The same from a test that leaves its thread to the tasks of the app meanwhile.
  func performed(_ command: String) async -> Outcome.Result? {
    await apart { self.perform(command) }
  }

  /// Restores, in the same way.
  func restored(
    _ state: String?, at target: Position, request: UInt64
  ) async -> Outcome.Result? {
    await apart { self.restore(state, at: target, request: request) }
  }

  /// Waits for records, in the same way.
  func recorded(_ count: Int) async -> Bool { await apart { self.sink.waitForRecords(count) } }

  /// Waits for answers, in the same way.
  func answered(_ count: Int) async -> Bool { await apart { self.sink.waitForAnswers(count) } }

  private func apart<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: body()) }
    }
  }

  /// Brings a reset as the broadcaster does.
  func bring(_ reset: IncomingReset) { lock.withLock { onReset }?(reset) }
}

extension IncomingReset {
  /// One from nowhere.
  init(viewerName: String, state: Content?) {
    self.init(
      request: 1, viewer: ViewerID(rawValue: 1), viewerName: viewerName, target: .elsewhere,
      state: state)
  }
}

/// A point, and what cannot be said in JSON if `x` is not a number.
struct Point: Codable, Equatable {
  var y = 0.0
  var x = 0.0
}

enum Counter: StateSurfable {
  struct State: StateInitializable, Equatable {
    var count = 0
    var ratio = 0.0
  }

  enum Action {
    case increment
    case incrementTwice
    case divideByZero
  }

  static let reducer = Reducer<Action, State> { action, state in
    switch action {
    case .increment:
      state.count += 1
    case .incrementTwice:
      return [.sync { .increment }, .sync { .increment }]
    case .divideByZero:
      state.ratio = .infinity
    }
    return []
  }
}

extension RecordState {
  /// The state as text.
  var text: String? { content.map { String(decoding: $0.bytes, as: UTF8.self) } }
}

extension RecordWriter {
  /// The records that an entry becomes.
  mutating func records(for entry: Entry, of tickets: ClosedRange<UInt64>) -> [Record] {
    var records: [Record] = []
    write(entry, of: tickets, to: &records)
    return records
  }
}
