import Observation
import StateSurf

@Observable @MainActor final class Trip {
  var stops = ["Ulm"]
  var budget = 500
}

struct Shown: Codable, Sendable { let stops: [String], budget: Int }

let trip = Trip()
let transceiver = Transceiver(name: "Trip")
let token = transceiver.observe {
  Shown(stops: trip.stops, budget: trip.budget)
} restore: {
  (trip.stops, trip.budget) = ($0.stops, $0.budget)
}
transceiver.resume()
for stop in ["Bonn", "Kiel"] {
  (trip.stops, trip.budget) = (trip.stops + [stop], trip.budget - 80)
  try await Task.sleep(for: .seconds(2))
}
transceiver.suspend()
