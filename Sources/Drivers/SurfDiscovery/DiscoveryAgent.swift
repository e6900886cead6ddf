import SurfThreads

/// Advertises and browses on a thread of its own, because the DNS-SD library may block as long as
/// the system bus does. Its methods only leave word for that thread and return at once.
package final class DiscoveryAgent: Sendable {
  private let desk: DiscoveryDesk

  /// Starts the thread. `backend` is called there once, and `handler` for each event.
  package init(
    backend: @escaping @Sendable () -> any DNSServiceBackend = { SystemDNSService() },
    handler: @escaping @Sendable (DiscoveryEvent) -> Void
  ) throws(ThreadError) {
    SystemDNSService.silenceWarnings()
    let desk = try DiscoveryDesk()
    self.desk = desk
    // No thread joins it: it may be blocked for longer than any caller waits.
    _ = try Thread.start(name: "surf-discovery") {
      DiscoveryLoop(desk: desk, backend: backend(), handler: handler).run()
    }
  }

  deinit { desk.stop() }

  /// Keeps `goal` up until the agent stops. Does nothing if the agent pursues `goal` already.
  /// Returns false, and counts, if it has `DiscoveryMachine.goalCountMax` others.
  @discardableResult
  package func pursue(_ goal: DiscoveryGoal) -> Bool { desk.add(goal) }

  /// What went wrong so far.
  package var counters: DiscoveryCounters { desk.counters }

  /// Withdraws everything and ends the thread. After it returns the handler hears of no event,
  /// except for one that is being told. Returns false if the thread is still blocked after
  /// `patience`; the thread then ends when the system bus lets go of it. Called by the handler, it
  /// does not wait.
  @discardableResult
  package func stop(patience: Duration = .milliseconds(500)) -> Bool {
    desk.stop()
    return desk.waitForEnd(patience: patience)
  }
}

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
