import SurfBasics
import SurfDiscovery
import SurfSeal
import SurfSockets
import SurfWire

/// The counts of a broadcaster or an observer since it started, for `doctor`, the live line, and
/// tests.
package struct NetworkCounters: Equatable, Sendable {
  package var datagramsReceived = 0
  package var bytesReceived = 0
  package var datagramsSent = 0
  /// Data datagrams to the group, without repairs: an app's cost, however many viewers there are.
  package var dataSent = 0
  package var repairsSent = 0
  package var historySent = 0
  /// Answers to viewers that asked an app about packets from other viewers.
  package var proofsSent = 0
  package var heartbeatsSent = 0
  /// Packets of followed instances, and replies with values, that were new.
  package var arrivals = 0
  package var repairsReceived = 0
  package var naksSent = 0
  package var duplicates = 0
  package var recordsLost: WireCount = 0
  /// Backlog packets that came from other viewers and were proven, and packets sent to them.
  package var packetsFromViewers = 0
  package var packetsToViewers = 0
  /// Blocks of packets from other viewers whose digest was not the app's.
  package var failedChecks = 0
  /// Datagrams that our own socket's buffer could not take: this process is too slow.
  package var socketOverflows = 0
  /// Dropped datagrams by `WireError.reason`, and by the other reasons of Protocol.md §15.
  package var drops: [String: Int] = [:]
  /// Other protocol versions that were heard.
  package var foreignVersions: Set<UInt8> = []
  /// Apps that are sealed under keys that this process lacks.
  package var strangers = SealedStrangers()
  /// The keys of the sealed sessions that are present.
  package var sealedUnder: [SessionID: KeyFingerprint] = [:]
  /// The instances that DNS-SD has found.
  package var announced: [InstanceID: InstanceAdvertisement] = [:]
  /// Live apps in realms that this viewer does not show.
  package var otherRealmCount = 0

  /// Instances that answer none of this viewer's requests, and for how long.
  package var unansweredTimes: [SessionID: Duration] = [:]
  /// The endpoints of those instances.
  package var silentPlaces: [SessionID: IPv4Endpoint] = [:]
  /// Why the system did not send the last datagram to an endpoint.
  package private(set) var refusals: [IPv4Endpoint: SocketError] = [:]
  /// The progress of the upload to an app; nil without one.
  package var upload: UploadProgress?

  package init() {}

  /// Strangers can make us answer at any endpoint.
  package static let refusalCountMax = 64

  /// Notes whether the last datagram to an endpoint was sent.
  package mutating func note(_ refusal: SocketError?, at place: IPv4Endpoint) {
    guard refusal != nil || !refusals.isEmpty else { return }
    if refusals.count < Self.refusalCountMax || refusals[place] != nil { refusals[place] = refusal }
  }

  /// Counts a datagram that the codec refused.
  package mutating func drop(_ error: WireError) {
    drop(error.reason)
    // A bounded set: a byte has 256 values.
    if case .unsupportedVersion(let version) = error { foreignVersions.insert(version) }
  }

  mutating func drop(_ drop: RunReader.Drop) {
    switch drop {
    case .unreadable(let error): self.drop(error)
    case .reason(let reason): self.drop(reason)
    }
  }

  package mutating func drop(_ reason: String, count: Int = 1) {
    drops.count(reason, count)
  }
}

/// The progress of a state or a command that is being sent to an app.
package struct UploadProgress: Equatable, Sendable {
  /// Octets that the app has acknowledged.
  package var received: Int
  package var total: Int
  /// How much of the work the app has done, if it reports that.
  package var share: ResetProgress.Share?

  package init(received: Int, total: Int, share: ResetProgress.Share? = nil) {
    self.received = received
    self.total = total
    self.share = share
  }
}
