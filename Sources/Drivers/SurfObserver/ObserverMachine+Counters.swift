import SurfBasics
import SurfNetwork
import SurfReceiving
import SurfTransport

extension ObserverMachine {
  package func addCounters(to all: inout NetworkCounters) {
    all.arrivals += counters.arrivals
    all.repairsReceived += counters.repairsReceived
    all.naksSent += counters.naksSent
    all.duplicates += counters.duplicates
    all.recordsLost.add(counters.recordsLost)
    all.packetsFromViewers += counters.packetsFromViewers
    all.packetsToViewers += counters.packetsToViewers
    all.failedChecks += counters.failedChecks
    all.drops.add(counters.drops)
    all.upload = largestUpload.map {
      UploadProgress(received: $0.acknowledged, total: $0.total, share: $0.share)
    }
  }

  func addUnansweredTimes(to all: inout NetworkCounters, at now: Duration) {
    for (session, silence, place) in unansweredTimes(at: now) {
      all.unansweredTimes[session] = silence
      all.silentPlaces[session] = place.ipv4
    }
  }
}
