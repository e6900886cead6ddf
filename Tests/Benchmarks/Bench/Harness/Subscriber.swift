import Foundation
import SurfCipher
import SurfNetwork
import SurfObserver
import SurfSockets
import SurfWire
import Synchronization

/// The harness's subscriber: a viewer that checks every state.
struct Subscriber {
  private let options: HarnessOptions
  private let directory: RunDirectory

  /// How often the harness's files are looked at; messages do not wait for it.
  private static let interval: UInt32 = 10_000

  init(_ options: HarnessOptions) {
    self.options = options
    directory = RunDirectory(path: options.directory)
  }

  func run() -> Int32 {
    sharpenTimers()
    Termination.watch()
    let desk = Desk(Tally(options, directory), wish: options.wantsPast ? .since(1) : .newestState)
    do {
      let observer = try Observer(configuration: try configuration()) { desk.take($0) }
      desk.attach(observer)
      directory.touch("ready.\(options.id)")
      watch(observer, desk)
      return 0
    } catch {
      complain("sub \(options.id): \(error)")
      return 1
    }
  }

  private func configuration() throws(KeyFileError) -> Observer.Configuration {
    var configuration = Observer.Configuration()
    configuration.interface = options.interface
    configuration.group = IPv4.parse(options.group) ?? configuration.group
    configuration.port = options.port
    configuration.viewerName = "bench \(options.id)"
    configuration.browsesDNSSD = false
    if let path = options.keyPath, let keys = try KeyFile(path: path).read() {
      configuration.sealing = Sealing(keys.ring, makeCipher: Ciphers.maker)
    }
    return configuration
  }

  private func watch(_ observer: Observer, _ desk: Desk) {
    let began = nanoseconds()
    while !isFinished(desk, since: began) { usleep(Self.interval) }
    directory.write(desk.tally.withLock { $0.text }, to: "res.\(options.id)")
    if options.wantsStatistics { tell(observer.counters) }
    // A viewer that left would not be there to be waited for by the others.
    let end = began + seconds(options.limit + 10)
    while !directory.has("stop"), nanoseconds() < end, !Termination.isWanted {
      usleep(5 * Self.interval)
    }
    desk.attach(nil)
    observer.stop()
  }

  private func isFinished(_ desk: Desk, since began: UInt64) -> Bool {
    let (isComplete, lastAt) = desk.tally.withLock { ($0.isComplete, $0.lastAt) }
    let now = nanoseconds()
    if isComplete || Termination.isWanted || now > began + seconds(options.limit) { return true }
    if lastAt > 0, now > lastAt + seconds(options.idle), directory.has("sent") { return true }
    return directory.has("stop")
  }

  private func tell(_ counters: NetworkCounters) {
    complain(
      "sub \(options.id): \(counters.datagramsReceived) datagrams, \(counters.bytesReceived) B,"
        + " \(counters.socketOverflows) overflows, \(counters.repairsReceived) repairs,"
        + " \(counters.naksSent) NAKs, \(counters.duplicates) duplicates,"
        + " \(counters.recordsLost) lost, drops \(counters.drops)")
  }
}

/// Where the observer's events go, and the way back to it.
private final class Desk: Sendable {
  let tally: Mutex<Tally>
  private let wish: HistoryRequest
  private let observer = Mutex<Observer?>(nil)

  init(_ tally: Tally, wish: HistoryRequest) {
    self.tally = Mutex(tally)
    self.wish = wish
  }

  /// The first instance may have appeared before.
  func attach(_ observer: Observer?) {
    self.observer.withLock { $0 = observer }
    follow(tally.withLock { $0.session })
  }

  func take(_ event: ObserverEvent) {
    switch event {
    case .record(let session, let arrived): tally.withLock { $0.take(arrived, of: session) }
    case .appeared(let session, _, _):
      if tally.withLock({ $0.appeared(session) }) { follow(session) }
    default: break
    }
  }

  private func follow(_ session: SessionID?) {
    guard let session else { return }
    observer.withLock { $0 }?.follow(session, since: wish)
  }
}
