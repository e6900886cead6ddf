import SurfBasics
import SurfNetwork
import SurfReceiving
import SurfSeal
import SurfTransport
import SurfWire

// What receivers have counted is added up where it happens: asking them all for every datagram
// would cost more than the datagram, once a viewer has seen a hundred apps.
extension ObserverMachine {
  /// Keeps what a source's receiver says now, and adds what it has counted since the last time.
  mutating func summarize(_ source: Source) {
    let summary = source.receiver.summarize()
    counts.add(summary.counters, since: source.summary.counters)
    source.summary = summary
  }

  package func addCounters(to counters: inout NetworkCounters) {
    counters.arrivals += counts.arrivals
    counters.repairsReceived += counts.repairsReceived
    counters.naksSent += counts.naksSent
    counters.duplicates += counts.duplicates
    counters.recordsLost.add(counts.recordsLost)
    counters.packetsFromViewers += counts.packetsFromViewers
    counters.packetsToViewers += counts.packetsToViewers
    counters.failedChecks += counts.failedChecks
    counters.drops.add(counts.drops)
    counters.upload = largestUpload
  }

  /// Of what is told of and is here.
  var sealedUnder: [SessionID: KeyFingerprint] {
    var all: [SessionID: KeyFingerprint] = [:]
    for source in sources.values {
      guard let key = source.key, source.summary.isPresent,
        !source.isHidden
      else { continue }
      all[source.session] = key.fingerprint
    }
    return all
  }

  /// Instances that have answered none of our requests.
  func addStandstills(to counters: inout NetworkCounters, at now: Duration) {
    for source in sources.values {
      guard let since = source.summary.unansweredSince,
        now - since >= Timers.requestSilenceMin
      else { continue }
      counters.standstills[source.session] = now - since
      counters.silentPlaces[source.session] = source.endpoint.ipv4
    }
  }
}

extension NetworkCounters {
  fileprivate mutating func add(_ new: Receiver.Counters, since old: Receiver.Counters) {
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
    for (reason, count) in new.drops {
      drop(reason, count: count - old.drops[reason, default: 0])
    }
  }
}
