import RemoteInspector
import SurfRelay
import SurfStreams

/// The settings of a gateway, fixed when it starts.
package struct GatewayConfiguration: Sendable {
  /// Where panels and Socket.IO clients may connect; none is fine with a relay to dial.
  package var listen: [TCPAddress] = []
  /// Relays to dial, each for every app.
  package var relays: [RelayAddress] = []
  /// Names besides our own by which a browser may have found us, with any port.
  package var hosts: Set<String> = []
  /// Origins besides those of this machine and of browser extensions, such as `https://host`.
  package var origins: Set<String> = []
  /// What lets a client in where one is needed; without it nobody gets in there.
  package var token: AccessToken?
  /// What is shown to relays that a person has named.
  package var relayToken: AccessToken?
  package var tokenRule = TokenRule.whereOthersReach
  /// Whether it opens what apps seal.
  package var holdsKey = false
  /// Whether other machines may be served and dialled all the same.
  package var servesOthersWithKey = false
  /// Rows of each app's past that a panel is shown.
  package var rowCountMax = 200
  /// Octets of those rows to keep for each app; a dropped row is fetched from the app once more
  /// when a panel looks at it.
  package var byteCountMax = 64 * 1_024 * 1_024
  /// Whether WebSockets at paths of no other protocol speak RemoteInspector.
  package var servesInspectors = false
  /// What others are told when a panel moves an app.
  package var viewerName = "redux-devtools"

  /// What to register with DNS-SD for the first address that is listened on, and which relays of
  /// others to dial.
  package var registersDNSSD = true
  package var search = RelaySearch.none
  package var serviceType = "_reduxdevtools._tcp"

  package init() {}
}

extension GatewayConfiguration {
  /// What is shown to a relay that DNS-SD finds: anybody on the network may say that it is one.
  package var foundRelayToken: AccessToken? {
    switch search {
    case .named: relayToken
    case .none, .all: nil
    }
  }
}

/// Which relays a gateway looks for by DNS-SD.
package enum RelaySearch: Equatable, Sendable {
  case none
  /// All that there are, but not itself.
  case all
  /// The one with this name.
  case named(String)
}

/// Everything that the gateway bounds, in one place (Protocol.md §B.5).
package enum GatewayLimits {
  /// Streams at the same time, both ways.
  static let streamCountMax = 256
  /// Sessions of Engine.IO at the same time, of which those that poll have no stream.
  package static let sessionCountMax = 256
  /// Streams at the same time that nobody has vouched for. More than a loop accepts in a turn: as
  /// it reads before it accepts more, who speaks at once is heard.
  package static let strangerCountMax = 128
  /// Between two lines about those who were turned away.
  static let refusalPause = Duration.seconds(60)
  /// Octets of one message from a panel: a file that a person imports may be large.
  package static let messageSizeMax = 64 * 1_024 * 1_024
  /// Octets of memory of messages that are not all here, over all streams.
  package static let unfinishedSizeMax = 128 * 1_024 * 1_024
  /// Octets of one request's body: Engine.IO's `maxPayload`.
  static let bodySizeMax = 1_000_000
  /// Octets that may wait for a panel. With more, it gets no single actions, but the whole newest
  /// history once it has caught up.
  package static let behindSize = 4 * 1_024 * 1_024
  /// Octets that may wait for a panel before it is disconnected.
  package static let unsentMax = 256 * 1_024 * 1_024
  /// Octets that may wait for all panels together before the one with the most is disconnected.
  package static let unsentSumMax = 256 * 1_024 * 1_024
  /// Octets of the histories of all apps together, beside their newest states.
  package static let historySizeMax = 128 * 1_024 * 1_024
  /// Octets that are kept of all guests together: what viewers may ask for, and what their next
  /// states are made of.
  static let guestSizeMax = 128 * 1_024 * 1_024
  /// Octets of the last values of all apps together, for front ends that come later.
  package static let inspectorSizeMax = 32 * 1_024 * 1_024
  /// How long one frame keeps a panel busy: the panel draws all of history anew.
  static let frameInterval = Duration.milliseconds(500)
  /// Frames that may go out at once after a quiet time: what a click sets off.
  static let frameBurst = 5
  /// Octets that a panel reads in `frameInterval` beside its other work.
  static let frameSize = 2 * 1_024 * 1_024
  /// Octets of states in one frame.
  package static let frameSizeMax = 8 * 1_024 * 1_024
  /// Apps that are gone and whose history is kept in case they come back.
  package static let absentCountMax = 16
  /// Octets of those histories together, unless one alone has more.
  static let absentSizeMax = 32 * 1_024 * 1_024
  /// How long a stream may take to say what it wants.
  package static let requestTimeout = Duration.seconds(30)
  /// How long an app's past may take to load before panels are shown what is there.
  package static let loadTimeout = Duration.seconds(5)
  /// After an app or a stream has left, until its memory is given back to the system: those that
  /// leave together cost one look at all of it.
  static let tidyPause = Duration.seconds(1)
  /// Between two lines about moves of one app; of those in between the last is told.
  static let movePause = Duration.seconds(1)
  /// Rows that are fetched once more for a panel that begins.
  static let refetchCountMax = 16
  /// Apps that speak RemoteInspector and are announced on the network: each takes a thread.
  package static let guestCountMax = 64
  /// The shortest time between two states of one app for front ends of RemoteInspector.
  package static let inspectorInterval = Duration.milliseconds(250)

  /// The sums over all apps and clients, for a person.
  package static let sums: [(name: String, size: Int)] = [
    ("unfinished messages", unfinishedSizeMax), ("unsent messages", unsentSumMax),
    ("app histories", historySizeMax), ("absent apps", absentSizeMax),
    ("guests", guestSizeMax), ("inspector values", inspectorSizeMax),
  ]

  /// The table under its names in Protocol.md §B.5; times in milliseconds.
  package static let table: [(name: String, value: Int)] = [
    ("stream count max", streamCountMax), ("session count max", sessionCountMax),
    ("stranger count max", strangerCountMax),
    ("refusal pause", Int(refusalPause / .milliseconds(1))),
    ("message size max", messageSizeMax), ("unfinished size max", unfinishedSizeMax),
    ("body size max", bodySizeMax), ("behind size", behindSize), ("unsent max", unsentMax),
    ("unsent sum max", unsentSumMax), ("history size max", historySizeMax),
    ("absent count max", absentCountMax), ("absent size max", absentSizeMax),
    ("frame interval", Int(frameInterval / .milliseconds(1))), ("frame burst", frameBurst),
    ("frame size", frameSize), ("frame size max", frameSizeMax),
    ("request timeout", Int(requestTimeout / .milliseconds(1))),
    ("load timeout", Int(loadTimeout / .milliseconds(1))),
    ("refetch count max", refetchCountMax), ("guest count max", guestCountMax),
    ("guest size max", guestSizeMax),
    ("inspector interval", Int(inspectorInterval / .milliseconds(1))),
    ("inspector message size max", InspectorLimits.messageSizeMax),
    ("inspector id size max", InspectorLimits.idSizeMax),
    ("inspector value count max", InspectorLimits.valueCountMax),
    ("inspector value size max", InspectorLimits.valueSizeMax),
    ("inspector size max", inspectorSizeMax),
  ]
}
