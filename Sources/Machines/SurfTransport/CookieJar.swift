import SurfBasics
import SurfWire

/// Makes and checks cookies without storing any (Protocol.md §11.1). `Sender` and a viewer's
/// `Repairer` have one each.
///
/// A cookie is a keyed hash of the asker's address, its id and the time. A host with a cookie has
/// received a datagram at that address, so no host can aim our answers at another. The toolchain's
/// hasher is SipHash with a key per process. This adds a secret of its own.
package struct CookieJar: Sendable {
  private let secret: (UInt64, UInt64)

  package init(using random: inout SeededGenerator) {
    secret = (random.next(), random.next())
  }

  package func cookie(for viewer: ViewerID, at endpoint: Endpoint, now: Duration) -> Cookie {
    cookie(for: viewer, at: endpoint, epoch: epoch(now))
  }

  package func isGood(_ cookie: Cookie, from viewer: ViewerID, at endpoint: Endpoint, now: Duration)
    -> Bool
  {
    let epoch = epoch(now)
    return cookie == self.cookie(for: viewer, at: endpoint, epoch: epoch)
      || cookie == self.cookie(for: viewer, at: endpoint, epoch: epoch - 1)
  }

  private func epoch(_ now: Duration) -> Int64 {
    now.components.seconds / Timers.cookieEpoch.components.seconds
  }

  private func cookie(for viewer: ViewerID, at endpoint: Endpoint, epoch: Int64) -> Cookie {
    var hasher = Hasher()
    hasher.combine(secret.0)
    hasher.combine(secret.1)
    hasher.combine(viewer)
    hasher.combine(endpoint)
    hasher.combine(epoch)
    return Cookie(rawValue: UInt64(bitPattern: Int64(hasher.finalize())))
  }
}
