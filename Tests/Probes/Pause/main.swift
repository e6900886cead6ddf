// Comes and goes: each line that it reads is `resume`, `suspend`, or `cycle`, which is both, twenty
// times. Says the word when it is done.
import Glibc
import StateSurf

let transceiver = Transceiver(name: "Pausing")
var count = 0
while let word = readLine() {
  switch word {
  case "resume": transceiver.resume()
  case "suspend": transceiver.suspend()
  default:
    for _ in 0..<20 {
      transceiver.suspend()
      transceiver.resume()
      count += 1
      transceiver.record(action: "resumed", state: count)
    }
  }
  // Unbuffered, so that a script sees each line when it happens.
  let bytes = Array((word + "\n").utf8)
  _ = write(STDOUT_FILENO, bytes, bytes.count)
}
