import SurfThreads

/// Advertises and browses on a thread of its own, because the DNS-SD library may block as long as
/// the system bus does. Its methods only leave word for that thread and return at once.
package final class DiscoveryAgent: Sendable {
  private let inbox: DiscoveryInbox

  /// Starts the thread. `backend` is called there once, and `handler` for each event.
  package init(
    backend: @escaping @Sendable () -> any DNSServiceBackend = { SystemDNSService() },
    handler: @escaping @Sendable (DiscoveryEvent) -> Void
  ) throws(ThreadError) {
    SystemDNSService.silenceWarnings()
    let inbox = try DiscoveryInbox()
    self.inbox = inbox
    // No thread joins it: it may be blocked for longer than any caller waits.
    _ = try Thread.start(name: "surf-discovery") {
      DiscoveryLoop(inbox: inbox, backend: backend(), handler: handler).run()
    }
  }

  deinit { inbox.stop() }

  /// Keeps `goal` up until the agent stops. Does nothing if the agent pursues `goal` already.
  /// Returns false, and counts, if it has `DiscoveryMachine.goalCountMax` others.
  @discardableResult
  package func pursue(_ goal: DiscoveryGoal) -> Bool { inbox.add(goal) }

  /// What went wrong so far.
  package var counters: DiscoveryCounters { inbox.counters }

  /// Withdraws everything and ends the thread. After it returns the handler hears of no event,
  /// except for one that is being told. Returns false if the thread is still blocked after
  /// `patience`; the thread then ends when the system bus lets go of it. Called by the handler, it
  /// does not wait.
  @discardableResult
  package func stop(patience: Duration = .milliseconds(500)) -> Bool {
    inbox.stop()
    return inbox.waitForEnd(patience: patience)
  }
}

/// The body of an agent's thread.
struct DiscoveryLoop {
  private let inbox: DiscoveryInbox
  private let driver: DiscoveryDriver

  init(
    inbox: DiscoveryInbox, backend: any DNSServiceBackend,
    handler: @escaping (DiscoveryEvent) -> Void
  ) {
    self.inbox = inbox
    driver = DiscoveryDriver(backend: backend) { event in
      if !inbox.isStopped { handler(event) }
    }
  }

  func run() {
    inbox.enter()
    while !inbox.isStopped { turn() }
    driver.pursue([], at: monotonicNow())
    inbox.leave()
  }

  private func turn() {
    let wakeup = inbox.poller.waitOrPause(reading: driver.descriptors, until: driver.deadline)
    if wakeup.isWoken { driver.pursue(inbox.goals, at: monotonicNow()) }
    driver.process(readable: wakeup.readable, at: monotonicNow())
    driver.advance(to: monotonicNow())
    inbox.counters = driver.counters
  }
}
