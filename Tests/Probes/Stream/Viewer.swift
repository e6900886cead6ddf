import Foundation
import SurfNetwork
import SurfSockets
import SurfWire

/// Follows the first stream it finds until it has record `--expect`, and checks every byte.
struct Viewer {
  let arguments: Arguments

  init(_ arguments: Arguments) { self.arguments = arguments }

  /// What came, checked as it came.
  struct Tally {
    var session: SessionID?
    var records = 0
    var lost: UInt64 = 0
    var wrong = 0
    var unordered = 0
    var repeated = 0
    var newest: UInt64 = 0
    var first: UInt64 = 0
    var firstAt: Duration?
    var isCaughtUp = false
    var goneAt: Duration?
    var seen: Set<UInt64> = []
    var lastBacklog: UInt64 = 0
    var boundary: UInt64?
  }

  func run() -> Int32 {
    let tally = Monitor(Tally())
    let size = arguments.number("--size", 5_000)
    let began = monotonicNow()
    var configuration = Observer.Configuration()
    configuration.interface = arguments.text("--interface", "lo")
    configuration.port = UInt16(arguments.number("--port", Int(NetworkDefaults.port)))
    configuration.viewerName = "probe"
    configuration.browsesDNSSD = false
    do {
      let observer = try Observer(configuration: configuration) { event in
        tally.change { Self.count(event, in: &$0, size: size, at: monotonicNow() - began) }
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
    observer.follow(session, since: .since(UInt64(arguments.number("--since", 1))))
    tally.wait(until: end) { $0.isCaughtUp }
    _ = FileManager.default.createFile(
      atPath: arguments.text("--ready", "/dev/null"), contents: nil)
    let expected = UInt64(arguments.number("--expect", 1))
    tally.wait(until: end) { $0.isCaughtUp && $0.newest >= expected }
    let final = tally.withLock { $0 }
    let counters = observer.counters
    observer.stop()
    let milliseconds = { (time: Duration?) in time.map { Int($0 / .milliseconds(1)) } ?? -1 }
    print(
      "records=\(final.records) lost=\(final.lost) wrong=\(final.wrong)"
        + " unordered=\(final.unordered) repeated=\(final.repeated) first=\(final.first)"
        + " firstMS=\(milliseconds(final.firstAt)) doneMS=\(milliseconds(monotonicNow() - began))"
        + " repairs=\(counters.repairsReceived) naks=\(counters.naksSent)"
        + " datagrams=\(counters.datagramsReceived) overflows=\(counters.socketOverflows)"
        + " dropped=\(counters.drops.values.reduce(0, +)) peakKB=\(peakMemory())")
    let isRight =
      final.newest >= expected && final.wrong + final.unordered + final.repeated == 0
    return isRight ? 0 : 1
  }

  private static func count(
    _ event: ObserverEvent, in tally: inout Tally, size: Int, at now: Duration
  ) {
    switch event {
    case .appeared(let session, let heartbeat) where heartbeat.app == "StreamProbe":
      if tally.session == nil { tally.session = session }
    case .record(tally.session, let record): count(record, in: &tally, size: size, at: now)
    case .lost(tally.session, let range): tally.lost += range.upperBound - range.lowerBound + 1
    case .caughtUp(tally.session): tally.isCaughtUp = true
    case .gone(tally.session, _): tally.goneAt = now
    default: break
    }
  }

  /// The newest state may come ahead of its turn; the rest of the past comes in order, and so does
  /// what is live.
  private static func count(
    _ record: Record, in tally: inout Tally, size: Int, at now: Duration
  ) {
    tally.records += 1
    if tally.first == 0 { (tally.first, tally.firstAt) = (record.sequence, now) }
    if record != sample(record.sequence, size: size) { tally.wrong += 1 }
    if !tally.seen.insert(record.sequence).inserted { tally.repeated += 1 }
    if record.sequence > tally.newest {
      tally.newest = record.sequence
    } else if record.sequence > tally.lastBacklog {
      tally.lastBacklog = record.sequence
    } else {
      tally.unordered += 1
    }
  }
}
