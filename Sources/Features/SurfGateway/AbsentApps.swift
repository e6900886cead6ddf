import SurfWire

/// Keeps the histories of apps that have left, for `AppDirectory`: an app that stopped at a
/// breakpoint comes back under the same session.
struct AbsentApps {
  /// The most recent departure is at the end.
  private var apps: [GatewayApp] = []

  mutating func put(_ app: GatewayApp) {
    apps.append(app)
    // Keep the last one whatever its size: it is the one that somebody is looking at.
    while apps.count > 1, isTooMuch { apps.removeFirst() }
  }

  private var isTooMuch: Bool {
    apps.count > GatewayLimits.absentCountMax || size > GatewayLimits.absentSizeMax
  }

  /// Octets of all these histories.
  var size: Int { apps.reduce(0) { $0 + $1.instance.byteCount } }

  mutating func take(_ session: SessionID) -> GatewayApp? {
    let index = apps.firstIndex { $0.session == session }
    return index.map { apps.remove(at: $0) }
  }

  mutating func change<Result>(
    _ session: SessionID, _ body: (inout GatewayApp) -> Result
  ) -> Result? {
    guard let index = apps.firstIndex(where: { $0.session == session }) else { return nil }
    return body(&apps[index])
  }
}
