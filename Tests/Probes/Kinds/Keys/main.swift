import Foundation
import StateSurf

// A game that plays when a key comes, and restores while it waits for one. It ends after three.

struct Piano: Codable { var notes = "" }
var piano = Piano()

let transceiver = Transceiver(name: "Piano")
transceiver.onReset(initial: Piano(), on: MainActor.self) { state in
  piano = state
}
transceiver.resume()
for _ in 1...3 {
  var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
  while poll(&input, 1, 20) != 1 { RunLoop.main.run(until: .now) }
  var key: UInt8 = 0
  guard read(STDIN_FILENO, &key, 1) == 1 else { break }
  piano.notes.append(Character(Unicode.Scalar(key)))
  transceiver.record(action: "key", state: piano)
}
transceiver.suspend()
