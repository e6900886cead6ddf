import Foundation
import SurfCipher
import SurfNetwork
import SurfThreads
import SurfWire

/// Sends `--count` records as fast as the broadcaster takes them, once `--go` exists, and repairs
/// until `--stop` does. `--rate N`: at most N a second, evenly. `--pace N`: N a second, in bursts
/// if the clock is too coarse, with states that are JSON. It has no state of its own, so it accepts
/// any state that a viewer sends.
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
    do {
      let keys = try KeyFile(environment: ProcessInfo.processInfo.environment)?.read()
      configuration.sealing = keys.map { Sealing($0.ring, makeCipher: Ciphers.maker) }
    } catch {
      print("error=\(error)")
      return 1
    }
    let desk = Monitor<Broadcaster?>(nil)
    let broadcaster = Broadcaster(configuration: configuration) { reset in
      desk.withLock { $0 }?.perform(.answer(reset, .applied))
    }
    desk.withLock { $0 = broadcaster }
    defer { desk.withLock { $0 = nil } }
    broadcaster.resume()
    waitForFile(arguments.text("--go"))
    let peakBefore = peakMemory()
    if arguments.number("--pace", 0) > 0 {
      sendPaced(to: broadcaster)
    } else {
      send(to: broadcaster)
    }
    _ = broadcaster.flush(timeout: .seconds(120))
    // Sent to those who catch up, while there was a stream to send.
    let historyMeanwhile = broadcaster.counters.historySent
    waitForFile(arguments.text("--stop"))
    broadcaster.suspend()
    let counters = broadcaster.counters
    print(
      "data=\(counters.dataSent) repairs=\(counters.repairsSent) history=\(counters.historySent)"
        + " heartbeats=\(counters.heartbeatsSent) received=\(counters.datagramsReceived)"
        + " meanwhile=\(historyMeanwhile) dropped=\(counters.drops.values.reduce(0, +))"
        + " growthKB=\(peakMemory() - peakBefore)")
    for (reason, count) in counters.drops.sorted(by: { $0.key < $1.key }) {
      print("drop \(reason): \(count)")
    }
    return 0
  }

  private func send(to broadcaster: Broadcaster) {
    let rate = arguments.number("--rate", 0)
    for sequence in 1...max(1, arguments.number("--count", 1)) {
      broadcaster.send([sample(UInt64(sequence), size: arguments.number("--size", 5_000))])
      if rate > 0 { usleep(UInt32(1_000_000 / rate)) }
    }
  }

  private func sendPaced(to broadcaster: Broadcaster) {
    let start = monotonicNow()
    let count = arguments.number("--count", 1)
    var sent = 0
    while sent < count {
      let elapsed = (monotonicNow() - start) / .seconds(1)
      let due = min(count, Int(elapsed * Double(arguments.number("--pace", 1))) + 1)
      while sent < due {
        sent += 1
        broadcaster.send([textSample(UInt64(sent), size: arguments.number("--size", 5_000))])
      }
      usleep(1_000)
    }
  }
}
