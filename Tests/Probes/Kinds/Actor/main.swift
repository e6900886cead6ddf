import StateSurf

let transceiver = Transceiver(name: "Fridge")

actor Fridge {
  struct State: Codable { var items: [String] = [] }
  private var state = State() {
    didSet { transceiver.record(changeFrom: oldValue, to: state) }
  }

  init() {
    transceiver.onReset(initial: State(), on: self) { $0.state = $1 }
    transceiver.resume()
  }

  func put(_ item: String) { state.items.append(item) }
}

let fridge = Fridge()
for item in ["milk", "bread", "eggs"] {
  await fridge.put(item)
  try await Task.sleep(for: .seconds(2))
}
transceiver.suspend()
