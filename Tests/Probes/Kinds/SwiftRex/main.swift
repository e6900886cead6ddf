import RexShape
import StateSurf

struct Gauge: Codable, Sendable { var level = 0 }
enum GaugeAction: Sendable { case fill(Int) }

let gauge = Reducer<GaugeAction, Gauge>.reduce { action, state in
  if case .fill(let amount) = action { state.level += amount }
}

let transceiver = Transceiver(name: "Gauge")
let subject = UnfailableReplayLastSubjectType<Gauge>.combine(initialValue: Gauge())
let store = ReduxStoreBase<GaugeAction, Gauge>(
  subject: subject,
  reducer: gauge <> .reduce { transceiver.record(action: $0, state: $1) },
  middleware: IdentityMiddleware())
transceiver.onReset(initial: Gauge(), on: MainActor.self) { state in
  subject.mutate { $0 = state }
}
transceiver.resume()
for amount in [5, 7] {
  store.dispatch(.fill(amount))
  try await Task.sleep(for: .seconds(2))
}
transceiver.suspend()
