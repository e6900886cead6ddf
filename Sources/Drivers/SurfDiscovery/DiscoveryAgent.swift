import SurfThreads

/// Advertises and browses by DNS-SD on its own thread, because the library may block as long as the
/// system bus does. Its methods only queue requests for that thread, and return immediately.
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
    // Never joined: the thread may be blocked for longer than any caller waits.
    _ = try Thread.start(name: "surf-discovery") {
      DiscoveryLoop(inbox: inbox, backend: backend(), handler: handler).run()
    }
  }

  deinit { inbox.stop() }

  /// Pursues `goal` until the agent stops. Does nothing if it already does. If the agent has
  /// `DiscoveryMachine.goalCountMax` goals, it drops this one and returns false.
  @discardableResult
  package func pursue(_ goal: DiscoveryGoal) -> Bool { inbox.add(goal) }

  /// Withdraws everything and ends the thread. Afterwards the handler gets no event, except one
  /// whose call is in progress. Returns false if the thread is still blocked after `patience`; it
  /// then ends when the system bus releases it. If the handler calls this, it does not wait.
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
  }
}
