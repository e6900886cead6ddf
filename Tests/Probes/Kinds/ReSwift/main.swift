import ReSwiftShape
import StateSurf

struct Tank: Codable, Sendable { var litres = 0 }
struct Fill: Action { let litres: Int }
struct Restore: Action { let state: Tank }

let transceiver = Transceiver(name: "Tank")
let initial = Tank()
let store = Store<Tank>(
  reducer: { action, state in
    switch action {
    case let fill as Fill: Tank(litres: (state ?? initial).litres + fill.litres)
    case let restore as Restore: restore.state
    default: state ?? initial
    }
  }, state: nil,
  middleware: [
    { _, state in
      { next in
        { action in
          next(action)
          guard !(action is Restore), let state = state() else { return }
          transceiver.record(action: "\(action)", state: state)
        }
      }
    }
  ])
transceiver.onReset(initial: initial, on: MainActor.self) { state in
  store.dispatch(Restore(state: state))
}
transceiver.resume()
for litres in [5, 7] {
  store.dispatch(Fill(litres: litres))
  try await Task.sleep(for: .seconds(2))
}
transceiver.suspend()
