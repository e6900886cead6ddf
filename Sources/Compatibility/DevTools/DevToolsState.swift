/// What a debug screen may show of the connection.
///
/// `Codable`, so that the state of an app can hold it.
public struct DevToolsState: Codable, Equatable, Sendable {
  /// Whether there is a relay.
  public enum ConnectionStatus: Codable, Equatable, Sendable {
    case disconnected
    case connecting
    case connected(host: String, port: UInt16)
  }

  /// Whether there is a relay.
  public var connectionStatus = ConnectionStatus.disconnected
  /// The relays that browsing found, in the order of arrival.
  public var discoveredServices: [DiscoveredService] = []
  /// Whether `DevTools` looks for relays by DNS-SD.
  public var isBrowsing = false
  /// The states of an imported history, as JSON.
  public var stateHistory: [String] = []
  /// Its actions, as JSON, each before the state at the same place.
  public var actionHistory: [String] = []
  /// The actions that the panel has switched off.
  public var skippedActionIds: Set<Int> = []
  /// Where in the past the app was put; nil while it is live.
  public var currentActionIndex: Int?
  /// Whether actions run again after one that is left out or moved. Otherwise the nearest state
  /// before it is restored, and nothing can be moved.
  public var isExact = false
  /// Whether the panel has paused recording.
  public var isPaused = false
  /// Whether the panel has locked the state.
  public var isLocked = false
  /// Actions that a locked store refused.
  public var refusedActionCount = 0
  /// The latest action to whose state a validator objected, and the objection, for people.
  public var rejection: String?
  /// Commands that this version does not know.
  public var unknownCommandCount = 0
  /// What went wrong last, for people.
  public var failure: String?

  /// Disconnected, live and empty.
  public static let initial = DevToolsState()

  /// As `initial`.
  public init() {}

  /// Whether the app is in the past.
  public var isTimeTraveling: Bool { currentActionIndex != nil }
}
