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
    driver.pursue([], at: Poll.now)
    desk.leave()
  }

  private func turn() {
    let readable = Poll.wait(
      for: [desk.wake.descriptor] + driver.descriptors, until: driver.deadline)
    if readable.contains(desk.wake.descriptor) {
      // Drained before the goals are read, so that a change in between wakes again.
      desk.wake.drain()
      driver.pursue(desk.goals, at: Poll.now)
    }
    driver.process(readable: readable, at: Poll.now)
    driver.advance(to: Poll.now)
    desk.counters = driver.counters
  }
}
