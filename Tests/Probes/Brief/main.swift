// A program that is over as soon as it has begun: `BriefProbe NAME COUNT [END]` logs COUNT lines
// and ends. END is `suspend` (the default), `flush` before it, `stop`, `leave`: a `stop` that it
// does not wait for, or `fall`: off the end of the program. It prints how many lines it knows to
// have recorded, and how many it gave up.
import Glibc
import StateSurf

let arguments = CommandLine.arguments
guard arguments.count > 2, let count = Int(arguments[2]) else {
  fatalError("BriefProbe NAME COUNT [suspend|flush|stop|leave|fall]")
}
let end = arguments.count > 3 ? arguments[3] : "suspend"
let transceiver = Transceiver(name: arguments[1])
transceiver.resume()
for number in 0..<count { transceiver.log("line \(number + 1)") }
switch end {
case "flush":
  transceiver.flush(timeout: .seconds(5))
  transceiver.suspend()
case "stop": await transceiver.stop()
case "leave":
  Task.detached { await transceiver.stop() }
  while transceiver.isOn { await Task.yield() }
case "fall": break
default: transceiver.suspend()
}
let counters = transceiver.counters
print("recorded \(counters.recordCount) given up \(counters.recordGivenUpCount)")
