import Foundation
import SurfNetwork
import SurfObserver
import SurfThreads
import SurfWire

/// Follows the first stream it finds until it has record `--expect`, and checks every byte.
struct Viewer {
  let arguments: Arguments

  init(_ arguments: Arguments) { self.arguments = arguments }

  private var expected: UInt64 { UInt64(arguments.number("--expect", 1)) }
  private var since: UInt64 { UInt64(arguments.number("--since", 1)) }

  func run() -> Int32 {
    let tally = Monitor(Tally())
    let size = arguments.number("--size", 5_000)
    let began = monotonicNow()
    var configuration = Observer.Configuration()
    configuration.interface = arguments.text("--interface", "lo")
    configuration.port = UInt16(arguments.number("--port", Int(NetworkDefaults.port)))
    configuration.viewerName = "probe"
    configuration.heldSizeMax = arguments.number("--hold", 0)
    configuration.browsesDNSSD = false
    do {
      let observer = try Observer(configuration: configuration) { event in
        tally.withLock { $0.take(event, size: size, at: monotonicNow() - began) }
      }
      return watch(observer, tally, began)
    } catch {
      print("error=\(error)")
      return 1
    }
  }

  private func watch(_ observer: Observer, _ tally: Monitor<Tally>, _ began: Duration) -> Int32 {
    let end = monotonicNow() + .seconds(arguments.number("--seconds", 120))
    tally.wait(until: end) { $0.session != nil }
    guard let session = tally.withLock({ $0.session }) else {
      print("error=nobody")
      return 1
    }
    observer.follow(session, since: .since(SequenceNumber(since)))
    tally.wait(until: end) { $0.isCaughtUp }
    let peakBefore = peakMemory()
    makeFile(arguments.text("--ready"))
    tally.wait(until: end) { $0.isCaughtUp && $0.newest >= expected }
    let duration = monotonicNow() - began
    let final = tally.withLock { $0 }
    let counters = observer.counters
    observer.stop()
    report(final, counters, duration: duration, growth: peakMemory() - peakBefore)
    return isRight(final) ? 0 : 1
  }

  private func isRight(_ tally: Tally) -> Bool {
    tally.newest >= expected && tally.unaccounted(since: since) == 0
      && tally.wrong + tally.unordered + tally.repeated + tally.contradicted == 0
  }

  private func report(
    _ tally: Tally, _ counters: NetworkCounters, duration: Duration, growth: Int
  ) {
    let milliseconds = { (time: Duration?) in time.map { Int($0 / .milliseconds(1)) } ?? -1 }
    print(
      "records=\(tally.records) lost=\(tally.lost.count) wrong=\(tally.wrong)"
        + " unordered=\(tally.unordered) repeated=\(tally.repeated)"
        + " contradicted=\(tally.contradicted) unaccounted=\(tally.unaccounted(since: since))"
        + " first=\(tally.first) firstMS=\(milliseconds(tally.firstAt))"
        + " doneMS=\(milliseconds(duration)) repairs=\(counters.repairsReceived)"
        + " had=\(counters.packetsFromViewers) gave=\(counters.packetsToViewers)"
        + " naks=\(counters.naksSent) datagrams=\(counters.datagramsReceived)"
        + " overflows=\(counters.socketOverflows)"
        + " dropped=\(counters.drops.values.reduce(0, +)) growthKB=\(growth)")
  }
}
