import SurfBasics
import SurfSeal
import SurfTransport
import SurfWire

// Counters are added up when a receiver changes. Once a viewer has heard a hundred apps, asking all
// receivers for each datagram would cost more than the datagram.
extension ObserverMachine {
  /// Updates the summary of a source, and adds the difference to the counters.
  mutating func summarize(_ source: Source) {
    let summary = source.receiver.summarize()
    counters.add(summary.counters, since: source.summary.counters)
    source.summary = summary
  }

  /// The keys of the sealed sessions that are shown and present.
  package var sealedUnder: [SessionID: KeyFingerprint] {
    var all: [SessionID: KeyFingerprint] = [:]
    for source in sources.values where source.summary.isPresent && !source.isHidden {
      all[source.session] = source.key?.fingerprint
    }
    return all
  }

  /// Instances that answer none of our requests: for how long, and where they are.
  package func unansweredTimes(at now: Duration) -> [(SessionID, Duration, Endpoint)] {
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
    // A record that was reported as lost may arrive after all.
    recordsLost.add(new.recordsLost.subtracting(old.recordsLost))
    recordsLost.subtract(old.recordsLost.subtracting(new.recordsLost))
    packetsFromViewers += new.packetsFromViewers - old.packetsFromViewers
    packetsToViewers += new.packetsToViewers - old.packetsToViewers
    failedChecks += new.failedChecks - old.failedChecks
    for (reason, count) in new.drops { drop(reason, count: count - old.drops[reason, default: 0]) }
  }
}
