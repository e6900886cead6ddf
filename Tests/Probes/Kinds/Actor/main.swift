import StateSurf

actor Fridge {
  struct State: Codable, Sendable { var items: [String] = [] }
  private var state = State() {
    didSet { transceiver.record(changeFrom: oldValue, to: state) }
  }

  func put(_ item: String) { state.items.append(item) }
  func set(_ state: State) { self.state = state }
}

let transceiver = Transceiver(name: "Fridge")
let fridge = Fridge()
transceiver.onReset(initial: Fridge.State()) { state in
  await fridge.set(state)
}
transceiver.resume()
for item in ["milk", "bread", "eggs"] {
  await fridge.put(item)
  try await Task.sleep(for: .seconds(2))
}
transceiver.suspend()
