import StateSurf
import Synchronization

struct Room: Codable { var degrees = 20 }
let room = Mutex(Room())

let transceiver = Transceiver(name: "Thermostat")
transceiver.onReset(initial: Room()) { state in
  room.withLock { $0 = state }
}
transceiver.resume()
while let line = readLine() {
  let state = room.withLock { room in
    room.degrees = Int(line) ?? room.degrees
    return room
  }
  transceiver.record(action: "set to \(state.degrees)", state: state)
}
transceiver.suspend()
