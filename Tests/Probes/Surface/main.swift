// All that an app can call, built with the trait `Live` and without it. It tells whether StateSurf
// is on, how many arguments were evaluated, and what the process has of threads and sockets.
import Foundation
import StateSurf
import SurfStore
import Synchronization

enum App: StateSurfable {
  struct State: StateInitializable {
    var count = 0
    @Redacted var secret = ""
    @Redacted var token: String?
  }
  enum Action: String, Codable, CaseIterable { case count }
  static let reducer = Reducer<Action, State>.reduce { _, state in state.count += 1 }
  static let validators = [Validator<State>("few") { $0.count < 10 }]
}

enum Other: StateSurfable {
  typealias State = App.State
  enum Action { case set(to: Int) }
  static let reducer = Reducer<Action, State>.reduce { _, state in state.count += 1 }
  static let actionCreators = [ActionCreator("set", "to")]
}

let evaluations = Atomic(0)
func evaluated<Value>(_ value: Value) -> Value {
  evaluations.add(1, ordering: .relaxed)
  return value
}

func configured() -> Transceiver.Configuration {
  var configuration = Transceiver.Configuration()
  configuration.interface = .loopback
  configuration.group = "239.255.83.83"
  configuration.port = 8383
  configuration.realm = "atelier"
  configuration.key = .off
  configuration.redacted = ["**.secret"]
  configuration.acceptsResets = true
  configuration.sendsDeltas = true
  configuration.historySizeMax = 1 << 20
  configuration.historyAgeMax = .seconds(60)
  configuration.replayCountMax = 10
  configuration.whenFull = .giveUpStates
  configuration.thinning.whenUnwatched = .everyNth(2)
  configuration.thinning.coalesced = ["tick", "cursor.*"]
  configuration.thinning.sampled = ["cursor.position", "clock"]
  configuration.thinning.interval = .milliseconds(100)
  configuration.registersDNSSD = false
  return configuration
}

func recordAll(with transceiver: Transceiver) {
  let first: RecordID? = transceiver.record(
    action: evaluated("value"), state: evaluated(App.State()))
  transceiver.record(
    action: "bytes", state: evaluated([1]), contentType: "text/plain", parent: first)
  transceiver.record(action: "data", state: evaluated(Data([1])), contentType: "text/plain")
  transceiver.record(action: evaluated("reflected"), reflecting: evaluated(App.State()))
  transceiver.record(action: "wrapped", state: Reflected(evaluated(App.State())))
  let plain = Store(initial: App.State(), reducer: App.reducer)
  let token: Subscription = transceiver.record(reflecting: plain)
  plain.dispatch(.count)
  token.cancel()
  transceiver.inspect("name", evaluated(1))
  transceiver.inspect("mirrored", reflecting: evaluated(1))
  transceiver.removeValue(evaluated("name"))
  transceiver.scope("scope") { (scope: InspectionScope) in
    scope.inspect("value", evaluated(1))
    scope.inspect("mirrored", reflecting: evaluated(1))
    scope.scope("inner").end()
  }
  @Inspected("property", in: transceiver) var property = 1
  property += 1
  transceiver.log(evaluated("line"), level: .init(named: "debug"), attributes: evaluated([:]))
  transceiver.log("line", level: .other("notice"), attributes: evaluated(["count": 1]))
  let request: NetworkRequest = transceiver.request(method: "GET", url: evaluated("url"))
  request.finished(status: 200, sentSize: 0, receivedSize: 1)
  request.failed(CancellationError())
  let handler = SurfLogHandler<String, String, String, Int>(
    transceiver, label: "label", logLevel: "info"
  ) { _ in [:] }
  handler.log(
    level: "info", message: "line", metadata: [:], source: "", file: "", function: "", line: 0)
  transceiver.mark(evaluated("mark"))
}

/// Afterwards, as tasks have threads of their own.
@MainActor func recordInTasks(with transceiver: Transceiver) async {
  await transceiver.withRequest(method: "GET", url: evaluated("/")) {
    (request: NetworkRequest) in
    let parent: RecordID? = Transceiver.currentParent
    transceiver.withParent(parent) { _ = transceiver.mark("within") }
    await transceiver.withParent(request.id) { await Task.yield() }
    await transceiver.scope("request") { (scope: InspectionScope) in
      await scope.scope("inner") { _ in await Task.yield() }
    }
    request.finished(status: 200)
  }
  transceiver.record(changeFrom: evaluated(App.State()), to: evaluated(App.State(count: 1)))
  let watching: Subscription = transceiver.observe { App.State() }
  let moved: Subscription = transceiver.observe {
    App.State()
  } restore: { _ in
  }
  watching.cancel()
  moved.cancel()
}

func entries(of folder: String) -> [String] {
  (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
}

let transceiver = Transceiver(name: "Surface", configuration: configured())
transceiver.onReset { (reset: Transceiver.Reset) in
  print(reset.state ?? Data(), reset.contentType, reset.viewerName)
}
transceiver.resume()
recordAll(with: transceiver)
let history = HistoryTransceiver<App>(configuration: configured())
history.resume()
history.store.dispatch(.count)
let other = HistoryTransceiver<Other>(name: "Other", configuration: configured())
other.transceiver.log("never resumed")
let answering = HistoryTransceiver<App>(
  name: "Answering", configuration: configured(), cancelsEffectsOnRestore: true)
answering.store.dispatch(.count)
let foreign = StoreObserver<App>(name: "Foreign", configuration: configured())
foreign.attach { _ in
} revise: { _ in
}
if foreign.admits(.count) { foreign.record(.count, state: App.State()) }
if other.transceiver.resumesAtLaunch { other.transceiver.resumesAtLaunch = false }
other.transceiver.resumeAtLaunch()
foreign.reject(.count, because: Objection(validator: "few", reason: nil))

let combined = Transceiver(name: "Combined", configuration: configured())
let part: StatePart<App.State> = combined.part("app", initial: App.State()) { _ in }
let counting = Store(initial: App.State(), reducer: App.reducer)
let counted: Subscription = combined.part("store", of: counting)
part.record(action: evaluated("part"), state: evaluated(App.State()))
part.record(changeFrom: evaluated(App.State()), to: evaluated(App.State(count: 1)))
counted.cancel()

let isFlushed = transceiver.flush(timeout: .seconds(5)) && history.transceiver.flush()
let counters: Transceiver.Counters = transceiver.counters
let threads = entries(of: "/proc/self/task").count
let sockets = entries(of: "/proc/self/fd").filter { name in
  let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
  return target?.hasPrefix("socket:") == true
}.count
print("on \(transceiver.isOn), flushed \(isFlushed), count \(history.store.state.count)")
print("evaluated \(evaluations.load(ordering: .relaxed)), recorded \(counters.recordCount)")
print("threads \(threads), sockets \(sockets)")
let before = (
  evaluations.load(ordering: .relaxed), transceiver.counters.recordCount
)
await recordInTasks(with: transceiver)
let after = (evaluations.load(ordering: .relaxed), transceiver.counters.recordCount)
print("in tasks: evaluated \(after.0 - before.0), recorded \(after.1 - before.1)")
transceiver.suspend()
transceiver.start()
await transceiver.stop()
history.suspend()
history.start()
await history.stop()
foreign.start()
await foreign.stop()
