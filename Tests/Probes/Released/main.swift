// Makes, uses and releases one thing after the other: `ReleasedProbe KIND COUNT [PORT]`, where KIND
// is `plain`, `history`, `store`, `swifty` or `devtools`, which needs the port of a relay. After a
// tenth, after half and after all of COUNT it says what the process has: memory in kB, threads and
// files.
import DevTools
import Glibc
import StateSurf
import SurfStore
import SwiftyState

enum Words: StateSurfable {
  struct State: StateInitializable { var text = "" }
  enum Action: Codable, Sendable { case set(String) }
  static let reducer = Reducer<Action, State>.reduce { action, state in
    if case .set(let text) = action { state.text = text }
  }
}

struct Purse: SwiftyStateStoreProtocol { var text = "" }

struct Fill: SwiftyAction {
  let text: String
  func reducer(state: any SwiftyStateStoreProtocol) -> any SwiftyStateStoreProtocol {
    Purse(text: text)
  }
}

/// A hundred kilobytes in all, so that one that is kept is seen.
let texts = (0..<50).map { String(repeating: "\($0) ", count: 700) }
let configuration: Transceiver.Configuration = {
  var configuration = Transceiver.Configuration()
  // Every state whole, so that the history grows as large as it can.
  configuration.sendsDeltas = false
  return configuration
}()

/// The other things that any program may record, apart from states.
func talk(_ transceiver: Transceiver) {
  transceiver.log("line", attributes: ["text": texts[1]])
  transceiver.inspect("value", texts[2])
  transceiver.scope("scope") { $0.inspect("value", texts[3]) }
  transceiver.request(method: "GET", url: "http://a.example/").finished(status: 200)
}

func usePlain() {
  let transceiver = Transceiver(name: "Plain", configuration: configuration)
  transceiver.onReset { _ in }
  transceiver.resume()
  for text in texts { transceiver.record(action: "set", state: Words.State(text: text)) }
  talk(transceiver)
  transceiver.suspend()
}

func useHistory() {
  let history = HistoryTransceiver<Words>(name: "History", configuration: configuration)
  history.resume()
  for text in texts { history.store.dispatch(.set(text)) }
  talk(history.transceiver)
  history.suspend()
}

func useStore() {
  let history = StoreObserver<Words>(name: "Store", configuration: configuration)
  history.attach { _ in
  } revise: {
    _ = $0(Words.State())
  }
  history.resume()
  for text in texts { history.record(.set(text), state: Words.State(text: text)) }
  talk(history.transceiver)
  history.suspend()
}

/// As Sources/Libraries.md has it, with an engine that ends: a program has but one.
func useSwifty() {
  let swifty = SwiftyState(SwiftyEngine())
  swifty.setStore(Purse())
  swifty.setStateValidiator(Validator("empty") { ($0 as? Purse)?.text.isEmpty == false })
  let transceiver = Transceiver(name: "Swifty", configuration: configuration)
  let observation = swifty.observe { row in
    guard let state = row.state as? Purse else { return }
    transceiver.record(action: "fill", state: state)
  }
  transceiver.onReset { try swifty.restore($0.state(as: Purse.self) ?? Purse()) }
  transceiver.resume()
  swifty.startDebug()
  let subscription = swifty.subscribe { _, _ in }
  for text in texts { swifty.action(a: Fill(text: text)) }
  swifty.undo()
  talk(transceiver)
  subscription.unsubscribe()
  observation.cancel()
  transceiver.suspend()
}

func useDevTools(port: UInt16) {
  let tools = DevTools(
    initial: Words.State(), reducer: Words.reducer,
    environment: .live(
      for: Words.State.self, instanceId: "released",
      connectionMode: .connectOnLaunch(host: "127.0.0.1", port: port)))
  tools.dispatch(.activate)
  for text in texts { tools.store.dispatch(.set(text)) }
  // Long enough to be connected, mostly: those that are still on the way there are released, too.
  usleep(20_000)
}

func entries(of folder: String) -> Int {
  guard let folder = opendir(folder) else { return -1 }
  defer { closedir(folder) }
  var count = 0
  while readdir(folder) != nil { count += 1 }
  // Neither the two dots, nor, among files, the folder that is being read.
  return count - 2
}

func resident() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return -1 }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 128)
  guard fgets(&line, 128, file) != nil else { return -1 }
  let fields = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    .split(separator: " ")
  return (Int(fields[1]) ?? -1) * Int(getpagesize()) / 1_024
}

let arguments = CommandLine.arguments
guard arguments.count > 2, let count = Int(arguments[2]), count >= 10 else {
  fatalError("ReleasedProbe KIND COUNT [PORT]")
}
for number in 1...count {
  switch arguments[1] {
  case "plain": usePlain()
  case "history": useHistory()
  case "store": useStore()
  case "swifty": useSwifty()
  default: useDevTools(port: arguments.count > 3 ? UInt16(arguments[3]) ?? 0 : 0)
  }
  guard [count / 10, count / 2, count].contains(number) else { continue }
  // Threads need a moment to end.
  usleep(1_000_000)
  let (threads, files) = (entries(of: "/proc/self/task"), entries(of: "/proc/self/fd") - 1)
  print("\(arguments[1]) \(number) resident \(resident()) threads \(threads) files \(files)")
}
