import RexShape
import StateSurf

struct Gauge: Codable, Sendable { var level = 0 }
enum GaugeAction: Sendable {
  case fill(Int)
  case restore(Gauge)
}

let gauge = Reducer<GaugeAction, Gauge>.reduce { action, state in
  if case .fill(let amount) = action { state.level += amount }
}

let transceiver = Transceiver(name: "Gauge")
let recorded = Reducer<GaugeAction, Gauge>.reduce { action, state in
  if case .restore(let other) = action {
    state = other
    return
  }
  gauge.reduce(action, &state)
  transceiver.record(action: action, state: state)
}
let store = ReduxStoreBase<GaugeAction, Gauge>(
  subject: .combine(initialValue: Gauge()), reducer: recorded, middleware: IdentityMiddleware())
transceiver.onReset(initial: Gauge(), on: MainActor.self) { state in
  store.dispatch(.restore(state))
}
transceiver.resume()
for amount in [5, 7] {
  store.dispatch(.fill(amount))
  try await Task.sleep(for: .seconds(2))
}
transceiver.suspend()
