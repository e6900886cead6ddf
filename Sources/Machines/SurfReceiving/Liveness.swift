import SurfTransport

/// Whether the app of a `Receiver` is alive, judged by how long it has been silent (Protocol.md
/// §10.8).
enum Liveness: Equatable, Sendable {
  case present(lastHeard: Duration)
  /// Silent or departed. Missing packets may still arrive until `expiresAt`.
  case gone(expiresAt: Duration)
  /// Gone for so long that nothing more will arrive.
  case expired

  enum Change { case gone, expired }

  var deadline: Duration? {
    switch self {
    case .present(let lastHeard): lastHeard + Timers.liveness
    case .gone(let expiresAt): expiresAt
    case .expired: nil
    }
  }

  mutating func heard(at now: Duration) { self = .present(lastHeard: now) }

  mutating func advance(to now: Duration) -> Change? {
    guard let deadline, deadline <= now else { return nil }
    switch self {
    case .present:
      self = .gone(expiresAt: now + Timers.expiry)
      return .gone
    case .gone, .expired:
      self = .expired
      return .expired
    }
  }
}
