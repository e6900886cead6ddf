import SurfWire

/// Apps that are gone, with their histories: a breakpoint stops an app while a person thinks, and
/// then the app goes on.
struct AbsentApps {
  /// The app that left last is the last.
  private var apps: [GatewayApp] = []

  mutating func put(_ app: GatewayApp) {
    apps.append(app)
    // One of any size is kept: it is the one that a person looks at.
    while apps.count > 1, isTooMuch { apps.removeFirst() }
  }

  private var isTooMuch: Bool {
    apps.count > GatewayLimits.absentCountMax || size > GatewayLimits.absentSizeMax
  }

  /// Octets of their histories.
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
