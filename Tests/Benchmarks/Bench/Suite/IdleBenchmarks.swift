import Foundation
import StateSurf
import SurfNetwork
import SurfSockets

// An app that has nothing to say: what it costs itself, and the network.
extension Benchmark {
  /// Long enough for the heartbeats to have become as rare as they get, and then to be counted.
  private static let settling = 3.0
  private static let duration = 10.0

  static let idle: [Benchmark] = [
    Benchmark(name: "idle-cpu", summary: "share of a core that an app without traffic takes") {
      let app = LoopbackApp()
      app.transceiver.resume()
      let usage = sleepIdly()
      return .single(100 * (usage.user + usage.system) / duration, unit: "%", of: idleKind)
    },
    Benchmark(name: "idle-datagrams", summary: "datagrams a second of an app without traffic") {
      let app = LoopbackApp()
      app.transceiver.resume()
      // Read only at the end, lest the count itself cost anything.
      let listener = try UDPSocket.groupMember(
        group: NetworkDefaults.group, port: app.port, on: try NetworkInterface.named("lo"))
      usleep(UInt32(settling * 1e6))
      _ = try drain(listener)
      usleep(UInt32(duration * 1e6))
      return .single(Double(try drain(listener)) / duration, unit: "/s", of: idleKind)
    },
  ]

  private static let idleKind = "run of \(Int(duration)) s"

  private static func sleepIdly() -> ProcessorTime {
    usleep(UInt32(settling * 1e6))
    let before = ProcessorTime.now
    usleep(UInt32(duration * 1e6))
    return .now - before
  }

  private static func drain(_ socket: UDPSocket) throws -> Int {
    var count = 0
    while true {
      let outcome = try socket.receive { _, _ in count += 1 }
      guard outcome.mayHaveMore else { return count }
    }
  }
}
