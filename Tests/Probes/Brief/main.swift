// A program that is over as soon as it has begun: `BriefProbe NAME COUNT [END]` logs COUNT lines
// and ends. END is `suspend` (the default), `flush` before it, or `fall`: off the end of the
// program. It prints how many lines it knows to have recorded, and how many it gave up.
import Glibc
import StateSurf

let arguments = CommandLine.arguments
guard arguments.count > 2, let count = Int(arguments[2]) else {
  fatalError("BriefProbe NAME COUNT [suspend|flush|fall]")
}
let end = arguments.count > 3 ? arguments[3] : "suspend"
let transceiver = Transceiver(name: arguments[1])
transceiver.resume()
for number in 0..<count { transceiver.log("line \(number + 1)") }
if end == "flush" { transceiver.flush(timeout: .seconds(5)) }
if end != "fall" { transceiver.suspend() }
let counters = transceiver.counters
print("recorded \(counters.recordCount) given up \(counters.recordGivenUpCount)")
