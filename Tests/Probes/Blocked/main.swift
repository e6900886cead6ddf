// Two apps whose states are on the main actor, which blocks in readLine(): `BlockedProbe`. A line
// `run` lets the actor run for a moment. After each line it prints both states.
import Glibc
import StateSurf
import SurfStore

enum Tape: StateSurfable {
  struct State: StateInitializable { var count = 0 }
  enum Action: String, Codable, CaseIterable { case next }
  static let reducer = Reducer<Action, State>.reduce { $1.count += 1 }
}

@MainActor final class Model {
  let history = StoreObserver<Tape>(name: "Store")
  private(set) var state = Tape.State()

  func perform(_ action: Tape.Action) {
    guard history.admits(action) else { return }
    _ = Tape.reducer.reduce(action, into: &state)
    history.record(action, state: state)
  }

  func revise(_ change: (Tape.State) -> Tape.State?) { state = change(state) ?? state }
}

let model = Model()
model.history.attach {
  await model.perform($0)
} revise: {
  await model.revise($0)
}
model.history.resume()

var degrees = 20
let transceiver = Transceiver(name: "Handler")
transceiver.onReset(on: MainActor.self) { reset in degrees = try reset.state(as: Int.self) ?? 0 }
transceiver.resume()

while let line = readLine() {
  if line == "run" { try await Task.sleep(for: .milliseconds(500)) }
  print("degrees \(degrees), count \(model.state.count)")
  fflush(nil)
}
