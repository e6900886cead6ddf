/// What `DevToolsAction.activate` does. The app is always the client: it connects to a relay, and a
/// relay never connects to it.
public enum ConnectionMode: Hashable, Sendable {
  /// Nothing: a settings screen dispatches `connect` or `startBrowsing`.
  case manual
  /// Browses by DNS-SD for `serviceType`, and connects to the first relay found.
  case autoConnect(serviceType: String)
  /// Connects at once.
  case connectOnLaunch(host: String, port: UInt16)
  /// Browses; `DevToolsState.discoveredServices` fills, and the user picks one.
  case browseOnLaunch

  /// The usual mode: browses for the environment's own service type.
  public static var autoConnect: ConnectionMode { .autoConnect(serviceType: "") }
}

/// How an app speaks to its relay.
public enum DevToolsTransport: Hashable, Sendable {
  /// Socket.IO v4 over a WebSocket.
  case socketIO
  /// What `@redux-devtools/cli` speaks.
  case socketCluster
}
