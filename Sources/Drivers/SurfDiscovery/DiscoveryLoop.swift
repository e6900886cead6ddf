import SurfThreads

/// The body of an agent's thread.
struct DiscoveryLoop {
  private let desk: DiscoveryDesk
  private let driver: DiscoveryDriver

  init(
    desk: DiscoveryDesk, backend: any DNSServiceBackend,
    handler: @escaping (DiscoveryEvent) -> Void
  ) {
    self.desk = desk
    driver = DiscoveryDriver(backend: backend) { event in
      if !desk.isStopped { handler(event) }
    }
  }

  func run() {
    desk.enter()
    while !desk.isStopped { turn() }
    driver.pursue([], at: monotonicNow())
    desk.leave()
  }

  private func turn() {
    let wakeup = desk.poller.waitOrPause(reading: driver.descriptors, until: driver.deadline)
    if wakeup.isWoken { driver.pursue(desk.goals, at: monotonicNow()) }
    driver.process(readable: wakeup.readable, at: monotonicNow())
    driver.advance(to: monotonicNow())
    desk.counters = driver.counters
  }
}
