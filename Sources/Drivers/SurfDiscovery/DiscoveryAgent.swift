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
      let driver = DiscoveryDriver(backend: backend()) { event in
        if !inbox.isStopped { handler(event) }
      }
      driver.run(with: inbox)
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

extension DiscoveryDriver {
  /// The body of an agent's thread.
  fileprivate func run(with inbox: DiscoveryInbox) {
    inbox.enter()
    while !inbox.isStopped {
      let wakeup = inbox.poller.waitOrPause(reading: descriptors, until: deadline)
      if wakeup.isWoken { pursue(inbox.goals, at: monotonicNow()) }
      process(readable: wakeup.readable, at: monotonicNow())
      advance(to: monotonicNow())
    }
    pursue([], at: monotonicNow())
    inbox.leave()
  }
}
