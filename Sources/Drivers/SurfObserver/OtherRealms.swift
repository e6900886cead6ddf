import SurfTransport
import SurfWire

/// The apps of realms that a viewer does not show: only how many there are.
package struct OtherRealms: Sendable {
  private var heardAt: [SessionID: Duration] = [:]

  /// As many as a viewer knows of those that it shows; a flood takes no more memory than this.
  package static let countMax: Int = 256

  mutating func hear(_ session: SessionID, at now: Duration) {
    if heardAt[session] == nil, heardAt.count >= Self.countMax {
      heardAt = heardAt.filter { Self.isLive($0.value, at: now) }
      guard heardAt.count < Self.countMax else { return }
    }
    heardAt[session] = now
  }

  /// Those that were heard of late.
  package func count(at now: Duration) -> Int {
    heardAt.values.count { Self.isLive($0, at: now) }
  }

  private static func isLive(_ heardAt: Duration, at now: Duration) -> Bool {
    now - heardAt < Timers.liveness
  }
}
