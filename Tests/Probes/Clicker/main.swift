import StateSurf
import SurfStore

enum Clicker: StateSurfable {
  struct State: StateInitializable { var count = 0 }
  enum Action: String, Codable, CaseIterable { case click, undo }
  static let reducer = Reducer<Action, State>.reduce { $1.count += $0 == .click ? 1 : -1 }
}
let history = HistoryTransceiver<Clicker>(name: "Clicker")
history.resume()
let subscription = history.store.subscribe { print("count \($0.count)") }
while let line = readLine() { history.store.dispatch(line == "undo" ? .undo : .click) }
history.suspend()
