import Foundation
import SurfNetwork
import SurfWire

/// Sends `--count` records as fast as the broadcaster takes them, once `--go` exists, and repairs
/// until `--stop` does. `--rate N`: so many a second.
struct Publisher {
  let arguments: Arguments

  init(_ arguments: Arguments) { self.arguments = arguments }

  func run() -> Int32 {
    var configuration = Broadcaster.Configuration(
      instance: InstanceID(high: 1, low: UInt64(getpid())), app: "StreamProbe")
    configuration.interface = arguments.text("--interface", "lo")
    configuration.port = UInt16(arguments.number("--port", Int(NetworkDefaults.port)))
    configuration.historySizeMax = arguments.number("--history", 128 << 20)
    configuration.registersDNSSD = false
    let broadcaster = Broadcaster(configuration: configuration) { _ in }
    broadcaster.resume()
    waitForFile(arguments.text("--go"))
    let peakBefore = peakMemory()
    let rate = arguments.number("--rate", 0)
    for sequence in 1...max(1, arguments.number("--count", 1)) {
      broadcaster.send(sample(UInt64(sequence), size: arguments.number("--size", 5_000)))
      if rate > 0 { usleep(UInt32(1_000_000 / rate)) }
    }
    _ = broadcaster.flush(timeout: .seconds(120))
    waitForFile(arguments.text("--stop"))
    broadcaster.suspend()
    let counters = broadcaster.counters
    print(
      "data=\(counters.dataSent) repairs=\(counters.repairsSent) history=\(counters.historySent)"
        + " heartbeats=\(counters.heartbeatsSent) received=\(counters.datagramsReceived)"
        + " dropped=\(counters.drops.values.reduce(0, +))"
        + " growthKB=\(peakMemory() - peakBefore)")
    return 0
  }
}
