import SurfBasics
import SurfSeal
import SurfTransport
import SurfWire

// Requests on their way to apps. An app decides about them in the order that they are completed
// (Protocol.md §11.3), so each waits for those of earlier calls.
extension ObserverMachine {
  struct Upload {
    let request: ObserverRequest
    /// Increases from call to call. If a delta fails, one call has two uploads.
    let callNumber: Int
    /// The digest of the state, if only a delta was sent.
    let deltaDigest: Digest?
    var machine: ResetUpload
    var unanswered = UnansweredRequests()

    var session: SessionID { request.session }

    /// Whether the app will decide about it before anything that it receives later. After a delta,
    /// the app may still ask for the whole state, and would receive that later.
    var isDecided: Bool { machine.isWhole && deltaDigest == nil }
  }

  /// Whether an app takes file names (Protocol.md §11.2).
  func takesNames(_ session: SessionID) -> Bool {
    sources[session].map {
      $0.heartbeat.control.contains(.takesNames)
    } ?? false
  }

  /// Whether the app has everything that was requested earlier.
  func isNext(_ upload: Upload) -> Bool {
    callOrders[upload.session]?.mayGo(upload.callNumber) ?? true
  }

  mutating func pass(_ upload: Upload) {
    callOrders[upload.session]?.pass(upload.callNumber)
    if callOrders[upload.session]?.isEmpty == true { callOrders[upload.session] = nil }
  }

  /// The requests to an app, in the order of the calls.
  func uploadsInOrder(to session: SessionID) -> [UInt64] {
    uploads.filter { $0.value.session == session }
      .sorted { $0.value.callNumber < $1.value.callNumber }.map(\.key)
  }

  package var largestUpload: ResetUpload? {
    uploads.values.map(\.machine).max { $0.total < $1.total }
  }

  /// Why this viewer must not drive an app (Protocol.md §18.5); nil if it may.
  func refusal(of source: Source) -> ResetAnswer? {
    guard let key = source.key else { return hasKeys && !movesOpenApps ? .notSealed : nil }
    return key.drives ? nil : .watchKeyOnly
  }

  /// Whether the app reports a state other than the requested one.
  func isOther(_ upload: Upload) -> Bool {
    guard let digest = upload.machine.digest, let state = upload.request.content else {
      return false
    }
    let key = DigestKey(viewer: viewer, request: upload.machine.request)
    return digest != upload.deltaDigest ?? Digest(of: state, key: key)
  }

  /// How long to wait for an answer.
  func repetition(of session: SessionID) -> Duration {
    sources[session].map { $0.receiver.repeatMin } ?? Timers.nakRepeatMax
  }
}

/// The calls to one app that later calls must not overtake, in order. Each operation takes
/// amortized constant time.
struct CallOrder: Sendable {
  private var waiting = Queue<Int>()
  /// Calls that are done, but follow others that are not.
  private var passed: Set<Int> = []

  var isEmpty: Bool { waiting.isEmpty }

  /// - Parameter call: a number above those of all earlier calls.
  mutating func begin(_ call: Int) { waiting.append(call) }

  /// Lets later calls go. Calling it twice has no effect.
  mutating func pass(_ call: Int) {
    guard let first = waiting.first, call >= first else { return }
    passed.insert(call)
    while let first = waiting.first, passed.remove(first) != nil { _ = waiting.popFirst() }
  }

  func mayGo(_ call: Int) -> Bool { waiting.first.map { call <= $0 } ?? true }
}

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
