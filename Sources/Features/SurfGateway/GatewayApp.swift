import ReduxDevTools
import SurfBasics
import SurfStreams
import SurfWire

/// One app, as the gateway shows it.
struct GatewayApp {
  /// Whether it was asked for what its past does not tell.
  enum Inquiry {
    case none, unanswered, answered
  }

  var instance: PanelInstance
  /// The id under which panels of our own relay answer it: as if it were connected there itself.
  let connection: String
  /// When its past must be there at the latest.
  var loadBy: Duration
  var inquiry = Inquiry.none
  var outbox = Outbox()
  var refetches = Refetches()
  /// It was followed before, and nothing of it is here any more.
  var isForgotten = false
  /// The panel that moved it last, and has moved its own pointer already.
  var mover: StreamID?
  /// What panels asked of it and it has not answered yet.
  var unanswered = 0
  /// It has obeyed, and the word on where it is now has not come yet.
  var owesPointer = false

  /// In place: an instance holds a whole history.
  mutating func change<Result>(_ body: (inout PanelInstance) -> Result) -> Result {
    body(&instance)
  }
}

/// Apps that are gone, with their histories: a breakpoint stops an app for as long as somebody
/// thinks, and then it goes on.
struct AbsentApps {
  /// The one that left last is the last.
  private var apps: [(session: SessionID, app: GatewayApp)] = []

  mutating func put(_ app: GatewayApp, _ session: SessionID) {
    apps.append((session, app))
    // One of any size is kept: it is the one that somebody looks at.
    while apps.count > 1, isTooMuch { apps.removeFirst() }
  }

  private var isTooMuch: Bool {
    apps.count > GatewayLimits.absentCountMax
      || apps.reduce(0) { $0 + $1.app.instance.byteCount } > GatewayLimits.absentSizeMax
  }

  mutating func take(_ session: SessionID) -> GatewayApp? {
    let index = apps.firstIndex { $0.session == session }
    return index.map { apps.remove(at: $0).app }
  }

  mutating func change<Result>(
    _ session: SessionID, _ body: (inout GatewayApp) -> Result
  ) -> Result? {
    guard let index = apps.firstIndex(where: { $0.session == session }) else { return nil }
    return body(&apps[index].app)
  }
}

/// An app's connection to a relay that we dial.
struct Uplink {
  enum Phase {
    /// Waits for this moment.
    case resting(until: Duration)
    case connecting(StreamID)
    case linked(StreamID, id: String?)
  }

  struct Key: Hashable {
    let relay: Int
    let session: SessionID
  }

  var phase: Phase
  var failureCount = 0
  /// Whether a panel wants to hear of it.
  var isMonitored = false

  static let backoff = Backoff(first: .milliseconds(500), longest: .seconds(30))
}
