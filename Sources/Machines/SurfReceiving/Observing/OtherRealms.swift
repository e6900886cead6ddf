import SurfTransport
import SurfWire

/// The number of live apps in realms that a viewer does not show.
package struct OtherRealms: Sendable {
  private var heardAt: [SessionID: Duration] = [:]

  /// The same limit as for apps that are shown, so that a flood cannot take more memory.
  package static let countMax: Int = 256

  mutating func hear(_ session: SessionID, at now: Duration) {
    if heardAt[session] == nil, heardAt.count >= Self.countMax {
      heardAt = heardAt.filter { Self.isLive($0.value, at: now) }
      guard heardAt.count < Self.countMax else { return }
    }
    heardAt[session] = now
  }

  /// The apps that were heard lately.
  package func count(at now: Duration) -> Int {
    heardAt.values.count { Self.isLive($0, at: now) }
  }

  private static func isLive(_ heardAt: Duration, at now: Duration) -> Bool {
    now - heardAt < Timers.liveness
  }
}
