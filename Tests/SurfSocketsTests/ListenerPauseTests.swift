import Glibc
import SurfSockets
import Testing

extension RealStreams {
  /// In a process of its own, since it takes all descriptors that this process may have.
  @Suite struct ListenerPauseTests {
    @Test func noDescriptorLeftMakesTheLoopWaitNotSpin() async {
      await #expect(processExitsWith: .success) {
        let log = EventLog()
        let loop = try startLoop([loopback], log)
        let client = try TCPStream(connectingTo: try #require(loop.addresses.first))
        _ = try log.accepted()
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        // The next one that connects has a descriptor, and the loop has none for it. What this
        // process inherited may have gaps: they are filled, and so far up that `poll` can still be
        // asked for more descriptors than the limit allows to be opened.
        var highest = dup(0)
        while highest < 64 { highest = dup(0) }
        close(highest)
        limit.rlim_cur = rlim_t(highest) + 1
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let late = try TCPStream(connectingTo: loop.addresses[0])
        // Nothing else happens meanwhile, so that each turn has a pause to end or to begin.
        let deadline = monotonicNow() + patience
        while loop.counters.acceptPauses < 3, monotonicNow() < deadline { usleep(20_000) }
        let counters = loop.counters
        try #require(counters.acceptPauses >= 3, "\(counters)")
        try #require(counters.turns < 10 * counters.acceptPauses, "\(counters)")
        // With room again, the one that waited is taken.
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        // The counters are those of the turn before: they follow the event.
        let end = monotonicNow() + patience
        while loop.counters.accepted < 2, monotonicNow() < end { usleep(20_000) }
        try #require(loop.counters.accepted == 2, "\(loop.counters)")
        loop.stop()
        withExtendedLifetime((client, late)) {}
      }
    }
  }
}
