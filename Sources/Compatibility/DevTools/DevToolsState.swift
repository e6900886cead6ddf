/// The connection to a panel and its view of the history, for an app's debug screen.
///
/// `Codable`, so that an app's state can contain it.
public struct DevToolsState: Codable, Equatable, Sendable {
  /// The state of the connection to a relay.
  public enum ConnectionStatus: Codable, Equatable, Sendable {
    case disconnected
    case connecting
    case connected(host: String, port: UInt16)
  }

  /// The state of the connection to a relay.
  public var connectionStatus = ConnectionStatus.disconnected
  /// The relays found by browsing, in the order of arrival.
  public var discoveredServices: [DiscoveredService] = []
  /// Whether `DevTools` looks for relays by DNS-SD.
  public var isBrowsing = false
  /// The states of an imported history, as JSON.
  public var stateHistory: [String] = []
  /// The actions of an imported history, as JSON. Each led to the state with the same index.
  public var actionHistory: [String] = []
  /// The actions that the panel has skipped.
  public var skippedActionIds: Set<Int> = []
  /// The point of the history that a panel put the app at. Nil while the app is live.
  public var currentActionIndex: Int?
  /// Whether actions run again after one is skipped or moved. Otherwise a skip restores the nearest
  /// state before it, and actions cannot be moved.
  public var isExact = false
  /// Whether the panel has paused recording.
  public var isPaused = false
  /// Whether the panel has locked the state.
  public var isLocked = false
  /// Actions that a locked store refused.
  public var refusedActionCount = 0
  /// The latest rejected action, with the validator's objection, for people.
  public var rejection: String?
  /// Commands that this version does not know.
  public var unknownCommandCount = 0
  /// The latest failure, for people.
  public var failure: String?

  /// Disconnected, live and empty.
  public static let initial = DevToolsState()

  /// The same as `initial`.
  public init() {}

  /// Whether the app is in the past.
  public var isTimeTraveling: Bool { currentActionIndex != nil }
}
