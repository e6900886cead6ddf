/// The most that a connection takes from its peer.
package struct WebSocketLimits: Equatable, Sendable {
  /// Bytes of one message, over all its fragments; more fails the connection with 1009.
  package var messageBytes: Int
  /// Bytes of pongs that may wait in the output. Beyond it only the newest ping is answered, as
  /// RFC 6455 §5.5.3 allows.
  package var waitingPongBytes: Int

  package init(messageBytes: Int = 1024 * 1024, waitingPongBytes: Int = 16 * 1024) {
    self.messageBytes = messageBytes
    self.waitingPongBytes = waitingPongBytes
  }
}
