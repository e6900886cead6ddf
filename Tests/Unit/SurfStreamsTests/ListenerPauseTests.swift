import Glibc
import SurfSockets
import SurfStreams
import SurfThreads
import TestSupport
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
        var taken = [dup(0)]
        while taken[taken.count - 1] < 64 { taken.append(dup(0)) }
        limit.rlim_cur = rlim_t(taken[taken.count - 1]) + 1
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let start = monotonicNow()
        let deadline = start + patience
        var late: [TCPStream] = []
        while loop.counters.acceptPauses < 3, monotonicNow() < deadline {
          // A library may briefly open a file in a thread of its own, as glibc does to count
          // processors. Its descriptor may then go to a waiting client, so another must wait.
          if loop.counters.accepted == 1 + late.count {
            while case let another = dup(0), another >= 0 { taken.append(another) }
            close(taken.removeLast())
            if let stream = try? TCPStream(connectingTo: loop.addresses[0]) { late.append(stream) }
          }
          // Nothing else happens meanwhile, so that each turn has a pause to end or to begin.
          usleep(100_000)
        }
        let counters = loop.counters
        try #require(counters.acceptPauses >= 3, "\(counters)")
        // By their counts alone, turns that spin look like many pauses.
        let most = 1 + Int((monotonicNow() - start) / StreamLimits().acceptPause)
        try #require(counters.acceptPauses <= most, "\(counters)")
        try #require(counters.turns < 10 * counters.acceptPauses, "\(counters)")
        // With room again, the one that waited is taken.
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        // The counters are those of the turn before: they follow the event.
        let end = monotonicNow() + patience
        while loop.counters.accepted < 1 + late.count, monotonicNow() < end { usleep(20_000) }
        try #require(loop.counters.accepted == 1 + late.count, "\(loop.counters)")
        loop.stop()
        withExtendedLifetime((client, late)) {}
      }
    }
  }
}
