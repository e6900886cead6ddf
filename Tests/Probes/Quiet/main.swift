// A program that is live only in its debug build, as Sources/Configuring.md shows. It prints the
// number of records, and the threads and sockets of the process.
import Foundation
import StateSurf
import SurfStore

enum App: StateSurfable {
  struct State: StateInitializable { var count = 0 }
  enum Action: Codable { case count }
  static let reducer = Reducer<Action, State>.reduce { _, state in state.count += 1 }
}

func entries(of folder: String) -> [String] {
  (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
}

let history = HistoryTransceiver<App>(name: "Quiet")
#if DEBUG
  history.resume()
#endif
history.store.dispatch(.count)
_ = history.transceiver.flush(timeout: .seconds(5))
let threads = entries(of: "/proc/self/task").count
let sockets = entries(of: "/proc/self/fd").filter { name in
  let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
  return target?.hasPrefix("socket:") == true
}.count
print("count \(history.store.state.count), recorded \(history.transceiver.counters.recordCount)")
print("threads \(threads), sockets \(sockets)")
