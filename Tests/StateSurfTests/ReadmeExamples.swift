import Foundation
import StateSurf
import SurfStore
import Synchronization
import Testing

// The examples of README.md, line by line: what a reader copies has been compiled, and has run.

enum Clicker: StateSurfable {
  struct State: StateInitializable { var count = 0 }
  enum Action { case click, undo }
  static let reducer = Reducer<Action, State>.reduce { action, state in
    state.count += action == .click ? 1 : -1
  }
}

struct Room: Codable { var degrees = 20 }

@Suite("The examples of the README")
struct ReadmeExamples {
  @Test func aStoreIsInstrumentedInTwelveLines() {
    let history = HistoryTransceiver<Clicker>(name: "Clicker")
    history.resume()
    history.store.dispatch(.click)
    #expect(history.store.state.count == 1)
    #expect(history.transceiver.counters.recordCount == (history.transceiver.isOn ? 1 : 0))
    history.suspend()
  }

  @Test func aProgramWithoutAStoreRecordsWhatItLikes() {
    let room = Mutex(Room())
    let transceiver = Transceiver(name: "Thermostat")
    transceiver.onReset { reset in
      let state = try reset.state.map { try JSONDecoder().decode(Room.self, from: $0) }
      room.withLock { $0 = state ?? Room() }
    }
    transceiver.resume()
    room.withLock { $0.degrees += 1 }
    transceiver.record(action: "warmer", state: room.withLock { $0 })
    #expect(transceiver.counters.recordCount == (transceiver.isOn ? 1 : 0))
    transceiver.suspend()
  }

  @Test func theNetworkIsOneWord() {
    var configuration = Transceiver.Configuration()
    configuration.interface = .lan("eth0")
    configuration.acceptsResets = false
    // Silent: it is never resumed.
    let history = HistoryTransceiver<Clicker>(name: "Clicker", configuration: configuration)
    #expect(history.store.state.count == 0)
  }
}
