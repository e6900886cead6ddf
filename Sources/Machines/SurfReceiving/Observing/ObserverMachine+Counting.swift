import SurfBasics
import SurfSeal
import SurfTransport
import SurfWire

// What receivers have counted is added up where it happens: asking them all for every datagram
// would cost more than the datagram, once a viewer has seen a hundred apps.
extension ObserverMachine {
  /// Keeps what a source's receiver says now, and adds what it has counted since the last time.
  mutating func summarize(_ source: Source) {
    let summary = source.receiver.summarize()
    counters.add(summary.counters, since: source.summary.counters)
    source.summary = summary
  }

  /// The keys of the sealed sessions that are told of and are here.
  package var sealedUnder: [SessionID: KeyFingerprint] {
    var all: [SessionID: KeyFingerprint] = [:]
    for source in sources.values where source.summary.isPresent && !source.isHidden {
      all[source.session] = source.key?.fingerprint
    }
    return all
  }

  /// Instances that have answered none of our requests: for how long, and where they are.
  package func standstills(at now: Duration) -> [(SessionID, Duration, Endpoint)] {
    sources.values.compactMap { source in
      guard let since = source.summary.unansweredSince, now - since >= Timers.requestSilenceMin
      else { return nil }
      return (source.session, now - since, source.endpoint)
    }
  }
}

extension Receiver.Counters {
  mutating func drop(_ reason: String, count: Int = 1) { drops.count(reason, count) }

  fileprivate mutating func add(_ new: Self, since old: Self) {
    arrivals += new.arrivals - old.arrivals
    repairsReceived += new.repairsReceived - old.repairsReceived
    naksSent += new.naksSent - old.naksSent
    duplicates += new.duplicates - old.duplicates
    // A record told as lost may have come all the same.
    recordsLost.add(new.recordsLost.subtracting(old.recordsLost))
    recordsLost.subtract(old.recordsLost.subtracting(new.recordsLost))
    packetsFromViewers += new.packetsFromViewers - old.packetsFromViewers
    packetsToViewers += new.packetsToViewers - old.packetsToViewers
    failedChecks += new.failedChecks - old.failedChecks
    for (reason, count) in new.drops { drop(reason, count: count - old.drops[reason, default: 0]) }
  }
}
