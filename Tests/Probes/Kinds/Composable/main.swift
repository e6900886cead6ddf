import ComposableShape
import StateSurf

struct Meter: Reducer {
  struct State: Codable, Equatable, Sendable { var count = 0 }
  enum Action: Equatable, Sendable {
    case tick
    case restore(State)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .tick: state.count += 1
    case .restore(let other): state = other
    }
    return .none
  }
}

let transceiver = Transceiver(name: "Meter")
let initial = Meter.State()
let store = Store(initialState: initial) {
  Meter()
  Reduce<Meter.State, Meter.Action> { state, action in
    if case .restore = action { return .none }
    transceiver.record(action: action, state: state)
    return .none
  }
}
transceiver.onReset(initial: initial, on: MainActor.self) { state in
  store.send(.restore(state))
}
transceiver.resume()
for _ in 1...2 {
  store.send(.tick)
  try await Task.sleep(for: .seconds(2))
}
transceiver.suspend()
