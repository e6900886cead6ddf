import SurfDiscovery
import SurfSockets
import SurfThreads
import SurfWire

/// The broadcaster's thread: moves datagrams between sockets and machines until the inbox closes.
struct BroadcastLoop {
  let station: BroadcastStation
  let configuration: Broadcaster.Configuration

  /// How long to wait before a network that failed is tried again.
  private static let retryDelay = Duration.seconds(1)
  /// How long the loop may still send what is queued after it was told to end.
  private static let farewell = Duration.milliseconds(500)

  func run() {
    while station.inbox.isOpen {
      do throws(SocketError) {
        try serve()
        station.report(problem: nil)
      } catch {
        station.report(problem: "\(error)")
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
    defer { station.attach(nil, nil) }
    while station.inbox.isOpen { try turn(poller, reading: descriptors, until: nil) }
    try leave(poller, reading: descriptors)
  }

  private func leave(_ poller: Poller, reading descriptors: [Int32]) throws(SocketError) {
    let end = monotonicNow() + Self.farewell
    while station.unsentSize > 0, monotonicNow() < end {
      try turn(poller, reading: descriptors, until: end)
    }
    try station.sayGoodbye()
  }

  /// A round, and the wait for the next.
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
      configuration: configuration, port: link.own.localEndpoint.port,
      interface: link.interface.index)
    do throws(ThreadError) {
      // No daemon is not an error (Protocol.md §5): the beacon is enough.
      let agent = try DiscoveryAgent { _ in }
      agent.pursue(.advertise(advertisement))
      return agent
    } catch {
      station.report(problem: "no DNS-SD: \(error)")
      return nil
    }
  }
}
