import StateSurf
import SurfStore

enum Tape: StateSurfable {
  struct State: StateInitializable { var numbers: [Int] = [] }
  enum Action: Codable, Sendable { case add(Int) }
  static let reducer = Reducer<Action, State>.reduce { action, state in
    if case .add(let number) = action { state.numbers.append(number) }
  }
}

@MainActor final class Model {
  let history = StoreObserver<Tape>(name: "Tape")
  private(set) var state = Tape.State()

  func add(_ number: Int) {
    guard history.admits(.add(number)) else { return }
    state.numbers.append(number)
    history.record(.add(number), state: state)
  }

  func revise(_ change: (Tape.State) -> Tape.State?) { state = change(state) ?? state }
}

let model = Model()
model.history.attach { action in
  if case .add(let number) = action { await model.add(number) }
} revise: {
  await model.revise($0)
}
model.history.resume()
for number in 1...3 {
  model.add(number)
  try await Task.sleep(for: .seconds(2))
}
model.history.suspend()
