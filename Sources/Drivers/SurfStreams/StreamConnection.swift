/// One stream of a `StreamDriver`, with its phase, unsent bytes and deadline.
final class StreamConnection {
  enum Phase {
    /// Looking up the host's addresses.
    case resolving
    /// Trying one address. The others follow.
    case connecting(TCPStream, rest: ArraySlice<TCPAddress>)
    case open(TCPStream)
    /// Our side is shut down, and the peer's is not yet.
    case lingering(TCPStream)
    case closed
  }

  let id: StreamID
  var phase: Phase
  var unsent = UnsentBytes()
  /// When the current phase times out.
  var deadline: Duration?
  /// The machine wants to close the stream once `unsent` is empty.
  var isClosing = false
  /// The peer will send no more.
  var hasPeerEnded = false
  /// The peer ended before the machine closed the stream.
  var isEndedByPeer = false
  /// The kernel's send buffer was full at the last write.
  var isBlocked = false
  /// More than `StreamLimits.lowWater` was unsent, so a `.progress` is due.
  var isCongested = false
  /// The machine holds the stream.
  var isHeld = false
  /// The peer, for error messages.
  let target: String
  /// When connecting times out.
  var giveUpAt = Duration.zero

  init(_ id: StreamID, _ phase: Phase, target: String) {
    self.id = id
    self.phase = phase
    self.target = target
  }

  var stream: TCPStream? {
    switch phase {
    case .connecting(let stream, _), .open(let stream), .lingering(let stream): stream
    case .resolving, .closed: nil
    }
  }

  /// The descriptor to poll for reading. Nil after the peer's end, when it would always be
  /// readable.
  var readableDescriptor: Int32? {
    switch phase {
    case .open where isHeld && !isClosing: nil
    case .open(let stream), .lingering(let stream): hasPeerEnded ? nil : stream.fileDescriptor
    case .resolving, .connecting, .closed: nil
    }
  }

  /// The descriptor to poll for writing.
  var writableDescriptor: Int32? {
    switch phase {
    case .connecting(let stream, _): stream.fileDescriptor
    case .open(let stream): unsent.isEmpty ? nil : stream.fileDescriptor
    case .resolving, .lingering, .closed: nil
    }
  }

  var isClosed: Bool {
    if case .closed = phase { true } else { false }
  }
}
