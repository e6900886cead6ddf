import SurfBasics
import SurfDiscovery
import SurfSeal
import SurfSockets
import SurfWire

/// What a broadcaster or an observer has counted since it began; for `doctor`, the live line,
/// tests.
package struct NetworkCounters: Equatable, Sendable {
  package var datagramsReceived = 0
  package var bytesReceived = 0
  package var datagramsSent = 0
  /// Data datagrams to the group, without repairs: an app's cost, however many viewers look on.
  package var dataSent = 0
  package var repairsSent = 0
  package var historySent = 0
  /// Blocks of packets, received from other viewers, that an app was asked about.
  package var proofsSent = 0
  /// Datagrams that told viewers which values are live.
  package var valueRepliesSent = 0
  package var heartbeatsSent = 0
  /// Packets of followed instances, and answers about values, that brought something new.
  package var arrivals = 0
  package var repairsReceived = 0
  package var naksSent = 0
  package var duplicates = 0
  package var recordsLost: WireCount = 0
  /// Packets of the past that came from other viewers and were proven, and those that went to them.
  package var packetsFromViewers = 0
  package var packetsToViewers = 0
  /// Blocks of packets from other viewers that were not the app's.
  package var failedChecks = 0
  /// Datagrams that our own socket had no room for: this process is too slow.
  package var socketOverflows = 0
  /// Dropped datagrams by `WireError.reason`, and by the other reasons of Protocol.md §15.
  package var drops: [String: Int] = [:]
  /// Versions other than ours that were heard.
  package var foreignVersions: Set<UInt8> = []
  /// Apps that are sealed under keys that are not here.
  package var strangers = SealedStrangers()
  /// Under which keys the sealed sessions are that are here.
  package var sealedUnder: [SessionID: KeyFingerprint] = [:]
  /// What DNS-SD knows of.
  package var announced: [InstanceID: InstanceAdvertisement] = [:]
  /// Apps that are live in realms that this viewer does not show.
  package var otherRealmCount = 0
  /// Why there is no network at the moment, in words; nil if there is.
  package var problem: String?

  /// Instances that answer none of this viewer's requests, and for how long.
  package var unansweredTimes: [SessionID: Duration] = [:]
  /// Where those are.
  package var silentPlaces: [SessionID: IPv4Endpoint] = [:]
  /// Why the system did not send the last datagram to a place.
  package private(set) var refusals: [IPv4Endpoint: SocketError] = [:]
  /// How far the upload to an app is; nil without one.
  package var upload: UploadProgress?

  package init() {}

  /// Strangers can make us answer at any place.
  package static let refusalCountMax = 64

  /// Notes what became of the last datagram to a place.
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

/// How far a state or a command on its way to an app is.
package struct UploadProgress: Equatable, Sendable {
  /// Octets that the app has acknowledged.
  package var received: Int
  /// Octets in all.
  package var total: Int
  /// How much of the work on it the app has done, if it says so.
  package var share: ResetProgress.Share?

  package init(received: Int, total: Int, share: ResetProgress.Share? = nil) {
    self.received = received
    self.total = total
    self.share = share
  }
}
