/// What `DevToolsAction.activate` does. The app is always the client: it connects out to a relay,
/// and a relay never to it.
public enum ConnectionMode: Hashable, Sendable {
  /// Nothing: `connect` or `startBrowsing` is dispatched from a settings screen.
  case manual
  /// Browses by DNS-SD for `serviceType`, and connects to the first relay found.
  case autoConnect(serviceType: String)
  /// Connects at once.
  case connectOnLaunch(host: String, port: UInt16)
  /// Browses; `DevToolsState.discoveredServices` fills, and the user picks one.
  case browseOnLaunch

  /// The mode of most use: browses for the environment's own service type.
  public static var autoConnect: ConnectionMode { .autoConnect(serviceType: "") }
}

/// How an app speaks to its relay.
public enum DevToolsTransport: Hashable, Sendable {
  /// Socket.IO v4 over a WebSocket.
  case socketIO
  /// What `@redux-devtools/cli` speaks.
  case socketCluster
}
