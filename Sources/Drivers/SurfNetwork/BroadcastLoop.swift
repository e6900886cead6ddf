import SurfDiscovery
import SurfSockets
import SurfThreads
import SurfWire

/// A `Broadcaster`'s thread: opens the network, again after a failure, and lets the station move
/// datagrams between the sockets and the machine. Says goodbye when the inbox is closed.
struct BroadcastLoop {
  let station: BroadcastStation
  let configuration: Broadcaster.Configuration

  /// The wait before a failed network is tried again.
  private static let retryDelay = Duration.seconds(1)
  /// How long a viewer has to request what it misses. That is several times its first interval
  /// between requests (Protocol.md §10.4), and long enough for two heartbeats.
  private static let quiet = Duration.milliseconds(100)
  /// The most time reserved for the goodbye, in case the stream fills the socket's buffer.
  private static let goodbyeTime = Duration.milliseconds(100)

  func run() {
    while station.inbox.isOpen {
      do throws(SocketError) {
        try serve()
      } catch {
        configuration.onNetwork?("\(error)")
        station.inbox.wait(timeout: Self.retryDelay) { _ in false }
      }
    }
  }

  private func serve() throws(SocketError) {
    let (poller, timer) = try SocketError.wrapping { () throws(ThreadError) in
      (try Poller(), try DeadlineTimer())
    }
    station.inbox.attach(poller)
    defer { station.inbox.attach(nil) }
    let link = try Link(
      interface: configuration.interface, group: configuration.group, port: configuration.port,
      listeningPort: NetworkDefaults.probePort(configuration.port))
    let registration = register(link)
    defer { registration?.stop() }
    let descriptors = link.readable + [timer.fileDescriptor]
    station.attach(link, timer)
    let announcement = monotonicNow()
    defer { station.attach(nil, nil) }
    // The first turn announces the instance, which fails on an interface that is down.
    try turn(poller, reading: descriptors, until: .zero)
    configuration.onNetwork?(nil)
    while station.inbox.isOpen { try turn(poller, reading: descriptors, until: nil) }
    try leave(poller, reading: descriptors, announcement)
  }

  private func leave(
    _ poller: Poller, reading descriptors: [Int32], _ announcement: Duration
  ) throws(SocketError) {
    let goodbyeEnd = station.inbox.end
    let end = goodbyeEnd - min(Self.goodbyeTime, max(.zero, goodbyeEnd - monotonicNow()) / 4)
    while station.unsentSize > 0, monotonicNow() < end {
      try turn(poller, reading: descriptors, until: end)
    }
    let sent = monotonicNow()
    while true {
      // Viewers may still miss something. Without an answer to the announcement, there are no
      // viewers.
      let news = station.lastRequest.map { max($0, sent) } ?? announcement
      let quiet = min(end, news + Self.quiet)
      guard monotonicNow() < quiet else { break }
      try turn(poller, reading: descriptors, until: quiet)
    }
    try clear(poller, until: goodbyeEnd)
    try station.sayGoodbye()
    try clear(poller, until: goodbyeEnd)
  }

  /// Waits until the sockets have taken everything that was sent.
  private func clear(_ poller: Poller, until end: Duration) throws(SocketError) {
    while true {
      let blocked = try station.clear()
      guard !blocked.isEmpty, monotonicNow() < end else { return }
      _ = try SocketError.wrapping { () throws(ThreadError) in
        try poller.wait(reading: [], writing: blocked, until: end)
      }
    }
  }

  /// Lets the station receive, run the machine and send, once; then waits.
  private func turn(
    _ poller: Poller, reading descriptors: [Int32], until end: Duration?
  ) throws(SocketError) {
    let pause = try station.turn()
    _ = try SocketError.wrapping { () throws(ThreadError) in
      try poller.wait(
        reading: descriptors, writing: pause.writing, until: pause.mayHaveMore ? .zero : end)
    }
  }

  private func register(_ link: Link) -> DiscoveryAgent? {
    guard configuration.registersDNSSD else { return nil }
    let advertisement = ServiceAdvertisement(
      configuration: configuration, ownPort: link.own.localEndpoint.port,
      interface: link.interface.index)
    do throws(ThreadError) {
      // A missing daemon is not an error (Protocol.md §5): heartbeats are enough.
      let agent = try DiscoveryAgent { _ in }
      agent.pursue(.advertise(advertisement))
      return agent
    } catch {
      return nil
    }
  }
}
