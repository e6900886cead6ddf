import SurfRelay
import SurfStreams

/// The settings of a gateway, fixed when it starts.
package struct GatewayConfiguration: Sendable {
  /// Where to accept panels and Socket.IO clients; may be empty if there is a relay to dial.
  package var listen: [TCPAddress] = []
  /// Relays to dial, with one connection for each app.
  package var relays: [RelayAddress] = []
  /// Further names that a browser may reach us by, with any port.
  package var hosts: Set<String> = []
  /// Origins to allow in addition to this machine's and browser extensions', such as
  /// `https://host`.
  package var origins: Set<String> = []
  /// The token that clients must show where one is needed; if nil, nobody gets in there.
  package var token: AccessToken?
  /// The token to show to relays that a person has named.
  package var relayToken: AccessToken?
  package var tokenRule = TokenRule.whereOthersReach
  /// Whether the gateway has a key that opens sealed apps.
  package var holdsKey = false
  /// Whether to serve and dial other machines even with a key.
  package var servesOthersWithKey = false
  /// Rows of each app's past to show a panel.
  package var rowCountMax = 200
  /// Octets of those rows to keep for each app. A dropped row is fetched from the app again when a
  /// panel looks at it.
  package var byteCountMax = 64 * 1_024 * 1_024
  /// Whether a WebSocket at a path of no other protocol speaks RemoteInspector.
  package var servesInspectors = false
  /// The name that others see when a panel moves an app.
  package var viewerName = "redux-devtools"

  /// Whether to register the first address of `listen` with DNS-SD.
  package var registersDNSSD = true
  package var search = RelaySearch.none
  package var serviceType = "_reduxdevtools._tcp"

  package init() {}
}

extension GatewayConfiguration {
  /// The token to show to relays that DNS-SD finds: none unless they were named, because anybody on
  /// the network may claim to be a relay.
  package var foundRelayToken: AccessToken? {
    switch search {
    case .named: relayToken
    case .none, .all: nil
    }
  }
}

/// Which relays a gateway finds by DNS-SD and dials.
package enum RelaySearch: Equatable, Sendable {
  case none
  /// Every relay but this gateway.
  case all
  /// The relay with this name.
  case named(String)
}

/// The limits of a gateway, all in one place (Relay.md, Limits).
package enum GatewayLimits {
  /// Open streams, incoming and outgoing.
  static let streamCountMax = 256
  /// Open Engine.IO sessions. Polling ones may have no stream.
  package static let sessionCountMax = 256
  /// Open streams without an admitted request. More than a loop accepts in a turn: it reads before
  /// it accepts more, so it hears a client that speaks immediately.
  package static let strangerCountMax = 128
  /// The shortest time between two lines about refused clients.
  static let refusalPause = Duration.seconds(60)
  /// Octets of one message from a panel; large, because a person may import a file.
  package static let messageSizeMax = 64 * 1_024 * 1_024
  /// Memory, in octets, of incomplete messages of all streams together.
  package static let unfinishedSizeMax = 128 * 1_024 * 1_024
  static let bodySizeMax = 1_000_000
  /// Octets that may wait for a panel. Beyond, it gets one whole history once it has caught up.
  package static let behindSize = 4 * 1_024 * 1_024
  /// Octets that may wait for a panel before it is disconnected.
  package static let unsentMax = 256 * 1_024 * 1_024
  /// Octets that may wait for all panels together before the one with the most is disconnected.
  package static let unsentSumMax = 256 * 1_024 * 1_024
  /// Octets of the histories of all apps together, without their newest states.
  package static let historySizeMax = 128 * 1_024 * 1_024
  /// Octets kept of all guests together: packets for viewers, and what next states are built from.
  static let guestSizeMax = 128 * 1_024 * 1_024
  /// Octets of the latest values of all apps together, kept for front ends that connect later.
  package static let inspectorSizeMax = 32 * 1_024 * 1_024
  /// How long one frame keeps a panel busy: it redraws the whole history.
  static let frameInterval = Duration.milliseconds(500)
  /// Frames that may be sent without a pause after a quiet time, so that a click takes effect
  /// immediately.
  static let frameBurst = 5
  /// Octets that a panel reads in `frameInterval` beside its other work.
  static let frameSize = 2 * 1_024 * 1_024
  package static let frameSizeMax = 8 * 1_024 * 1_024
  /// Apps that have left and whose histories are kept in case they return.
  package static let absentCountMax = 16
  /// Octets of those histories together; a single one may be larger.
  static let absentSizeMax = 32 * 1_024 * 1_024
  /// How long a stream may take to become a WebSocket, unless it awaits our answer.
  package static let requestTimeout = Duration.seconds(30)
  /// How long to wait for an app's past before showing panels what has arrived.
  package static let loadTimeout = Duration.seconds(5)
  /// The delay from a departure of an app or stream until its memory returns to the system:
  /// departures close together cost one pass over the heap.
  static let trimPause = Duration.seconds(1)
  /// The shortest time between two lines about moves of one app. The last move is always reported.
  static let movePause = Duration.seconds(1)
  /// Dropped rows to fetch again for a panel that starts.
  static let refetchCountMax = 16
  /// Guests on the network, of RemoteInspector and Redux DevTools each. Each takes a thread.
  package static let guestCountMax = 64
  /// The shortest time between two states of one app for RemoteInspector front ends.
  package static let inspectorInterval = Duration.milliseconds(250)

  /// The limits that are sums over all apps and clients, with names for people.
  package static let sums: [(name: String, size: Int)] = [
    ("unfinished messages", unfinishedSizeMax), ("unsent messages", unsentSumMax),
    ("app histories", historySizeMax), ("absent apps", absentSizeMax),
    ("guests", guestSizeMax), ("inspector values", inspectorSizeMax),
  ]
}

package enum TokenRule: Equatable, Sendable {
  /// At every address that other machines can reach; on loopback too while the gateway holds a key.
  case whereOthersReach
  /// On loopback too: the client there may be a proxy for anybody.
  case everywhere
  /// Nowhere. The gateway must then listen on loopback only.
  case nowhere
}

extension GatewayConfiguration {
  package func needsToken(at address: TCPAddress) -> Bool {
    switch tokenRule {
    case .whereOthersReach: holdsKey || !address.isLoopback
    case .everywhere: true
    case .nowhere: false
    }
  }

  /// The reason not to start with this configuration, if there is one.
  package var hazard: GatewayHazard? {
    let address = listen.first { !$0.isLoopback }
    if let address, tokenRule == .nowhere { return .noToken(address) }
    guard holdsKey, !servesOthersWithKey else { return nil }
    if let address { return .key(address) }
    if let relay = relays.first(where: { !$0.isOnThisMachine }) { return .relay(relay) }
    return search == .none ? nil : .anyRelay
  }
}

extension RelayAddress {
  /// Judges by the address alone; a name may resolve to any machine.
  fileprivate var isOnThisMachine: Bool {
    host.lowercased() == "localhost" || TCPAddress(parsing: host, port: port)?.isLoopback == true
  }
}

/// A configuration that would expose apps to others. `Gateway` refuses it.
package enum GatewayHazard: Error, Equatable, Sendable {
  /// Anybody who reaches this address could read and set every state.
  case noToken(TCPAddress)
  /// Sealed states would leave the machine in the clear, to anybody who connects here.
  case key(TCPAddress)
  /// The same, to this relay.
  case relay(RelayAddress)
  /// The same, to anything on the network that claims to be a relay.
  case anyRelay
}
