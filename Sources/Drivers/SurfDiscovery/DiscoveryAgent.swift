import SurfThreads

/// Advertises and browses on a thread of its own, since the DNS-SD library may block for as long
/// as the system bus does. Its methods only leave word for that thread and return at once.
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
    // Nobody joins it: it may be blocked for longer than anybody waits.
    _ = try Thread.start(name: "surf-discovery") {
      DiscoveryLoop(desk: desk, backend: backend(), handler: handler).run()
    }
  }

  deinit { desk.stop() }

  /// Keeps `goal` up until the agent stops. Nothing changes where it is pursued already; returns
  /// false, and counts, where `DiscoveryMachine.goalCountMax` others are.
  @discardableResult
  package func pursue(_ goal: DiscoveryGoal) -> Bool { desk.add(goal) }

  /// What went wrong so far.
  package var counters: DiscoveryCounters { desk.counters }

  /// Withdraws everything and ends the thread. No event is told after it returns, but for one that
  /// is being told. Returns false where the thread is still blocked after `patience`: then it
  /// ends by itself when the system bus lets go of it. Called by the handler, it does not wait.
  @discardableResult
  package func stop(patience: Duration = .milliseconds(500)) -> Bool {
    desk.stop()
    return desk.waitForEnd(patience: patience)
  }
}
