import SurfDiscovery
import SurfSockets
import SurfTransport
import SurfWire

/// The broadcaster's thread: moves datagrams between sockets and machines until the inbox closes.
struct BroadcastLoop {
  let station: BroadcastStation
  let configuration: Broadcaster.Configuration

  /// How long to wait before a network that failed is tried again.
  private static let retryDelay = Duration.seconds(1)
  /// How long what is queued may still be sent after the end was asked for.
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
    let poller = try Poller()
    station.inbox.attach(poller)
    defer { station.inbox.attach(nil) }
    let link = try Link(
      interface: configuration.interface, group: configuration.group, port: configuration.port,
      listeningPort: NetworkDefaults.probePort(configuration.port))
    let registration = register(link)
    defer { registration?.stop() }
    var deadline = Duration.zero
    while station.inbox.isOpen {
      deadline = try turn(link)
      _ = try poller.wait(
        reading: link.readable, writing: link.writable, until: station.absolute(deadline))
    }
    try leave(link, poller)
  }

  /// One round: in, through the machines, out. Gives the time of the next if nothing happens.
  private func turn(_ link: Link) throws(SocketError) -> Duration {
    let now = station.now
    let commands = station.inbox.takeCommands()
    if !commands.isEmpty { station.withMachine { $0.perform(commands, at: now) } }
    let mayHaveMore = try link.receive { datagram, endpoint in
      station.withMachine { $0.receive(datagram, from: endpoint, at: now) }
    }
    try link.resume()
    try transmit(link)
    station.report(link.counters)
    station.inbox.note(unsentSize: station.withMachine { $0.unsentSize })
    // Blocked: the socket says when there is room. It always will; a second is for safety.
    if link.isBlocked { return now + .seconds(1) }
    return mayHaveMore ? now : station.withMachine { $0.deadline(at: now) }
  }

  private func transmit(_ link: Link) throws(SocketError) {
    // Bounded, so that requests are read between batches however much there is to send.
    for _ in 0..<16 where !link.isBlocked {
      guard let next = station.withMachine({ $0.nextTransmission(at: station.now) }) else { return }
      try link.send(next)
    }
  }

  private func leave(_ link: Link, _ poller: Poller) throws(SocketError) {
    let end = station.now + Self.farewell
    while station.withMachine({ $0.unsentSize }) > 0 || link.isBlocked, station.now < end {
      let deadline = min(try turn(link), end)
      _ = try poller.wait(
        reading: link.readable, writing: link.writable, until: station.absolute(deadline))
    }
    let goodbye = station.withMachine { $0.goodbye }
    try link.send(Transmission(to: .group, [goodbye.encoded()]))
    station.report(link.counters)
  }

  private func register(_ link: Link) -> DiscoveryAgent? {
    guard configuration.registersDNSSD else { return nil }
    let advertisement = ServiceAdvertisement(
      configuration: configuration, port: link.own.localEndpoint.port,
      interface: link.interface.index)
    do throws(DiscoveryError) {
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

extension ServiceAdvertisement {
  fileprivate init(configuration: Broadcaster.Configuration, port: UInt16, interface: UInt32) {
    let host = HostFacts.current
    let instance = InstanceAdvertisement(
      version: Datagram.version,
      id: UInt128(configuration.instance.high) << 64 | UInt128(configuration.instance.low),
      app: configuration.app, process: Int32(truncatingIfNeeded: host.processID), host: host.name,
      group: IPv4.text(configuration.group), port: configuration.port,
      contentType: configuration.contentType)
    self.init(
      name: "\(configuration.app)#\(host.processID)", port: port, instance: instance,
      interface: interface)
  }
}
