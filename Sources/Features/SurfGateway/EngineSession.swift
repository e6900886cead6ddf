import SurfRelay
import SurfStreams

/// One Socket.IO client of `EngineRelay`, with the streams that its session uses. A class so that
/// its buffers are changed in place, as in `InboundStreams`.
final class EngineSession {
  let sid: String
  /// Whether another gateway dialed us for an app of its network.
  let isGateway: Bool
  var connection: SocketIOServerConnection
  /// The GET that we have not answered, and one that arrived meanwhile.
  var poll: StreamID?
  var secondPoll: StreamID?
  var post: StreamID?
  var webSocket: StreamID?
  /// A second WebSocket, which the session refuses.
  var secondWebSocket: StreamID?
  /// Whether it is in the main namespace, so that events may be sent.
  var isConnected = false
  /// Whether it has sent `log`, as an app does: it takes commands, and is shown no other apps.
  var isApp = false

  /// Whether it receives apps' frames.
  var isMonitor: Bool { isConnected && !isApp }

  init(sid: String, isGateway: Bool, connection: SocketIOServerConnection) {
    (self.sid, self.isGateway) = (sid, isGateway)
    self.connection = connection
  }

  /// Whether a request on this stream still awaits our answer.
  func isAwaited(on stream: StreamID) -> Bool {
    poll == stream || secondPoll == stream || post == stream
  }
}
