import SurfRelay
import SurfStreams

/// One Socket.IO client, with the streams on which its session lives. A class for the reason that
/// `Connection` is one.
final class EngineSession {
  let sid: String
  /// Whether it brings an app that another gateway has from a network.
  let isGateway: Bool
  var connection: SocketIOServerConnection
  /// The GET that hangs, and the one that came while it did.
  var poll: StreamID?
  var secondPoll: StreamID?
  var post: StreamID?
  var webSocket: StreamID?
  /// A WebSocket that was tried and is not the session's.
  var secondWebSocket: StreamID?
  /// It is in the main namespace: events may be sent.
  var isConnected = false
  /// It has sent `log` itself: an app, which wants commands and not what other apps say.
  var isApp = false

  /// Whether it wants to hear of apps.
  var isMonitor: Bool { isConnected && !isApp }

  init(sid: String, isGateway: Bool, connection: SocketIOServerConnection) {
    (self.sid, self.isGateway) = (sid, isGateway)
    self.connection = connection
  }

  /// Whether we owe an answer on a stream.
  func isAwaited(on stream: StreamID) -> Bool {
    poll == stream || secondPoll == stream || post == stream
  }
}
