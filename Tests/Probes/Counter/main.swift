// An app of the library DevTools: CounterProbe PORT [socketCluster]. A line of `+` adds one; the
// count is printed whenever it changes.
import DevTools
import Glibc
import SurfStore

struct Counter: Codable, Sendable { var count = 0 }

enum CounterAction: Codable, Sendable {
  case increment
  case add(Int)
}

let reducer = Reducer<CounterAction, Counter>.reduce { action, state in
  switch action {
  case .increment: state.count += 1
  case .add(let number): state.count += number
  }
}

let arguments = CommandLine.arguments
guard arguments.count > 1, let port = UInt16(arguments[1]) else {
  fatalError("CounterProbe PORT [socketCluster]")
}
let environment = DevToolsEnvironment.live(
  for: Counter.self, instanceId: "counter", instanceName: "Counter",
  transport: arguments.dropFirst(2).first == "socketCluster" ? .socketCluster : .socketIO,
  connectionMode: .connectOnLaunch(host: "127.0.0.1", port: port))
let tools = DevTools(initial: Counter(), reducer: reducer, environment: environment)
let subscription = tools.store.subscribe {
  // Not by `print`: a pipe would get it in the end alone.
  let line = "count \($0.count)\n"
  _ = line.withCString { write(1, $0, strlen($0)) }
}
tools.dispatch(.activate)
while let line = readLine() { if line == "+" { tools.store.dispatch(.increment) } }
subscription.cancel()
