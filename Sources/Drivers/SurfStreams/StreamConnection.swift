/// One stream of a `StreamDriver`: what it is doing, what it still has to send, and until when.
final class StreamConnection {
  enum Phase {
    /// The host's addresses are looked for.
    case resolving
    /// One address is tried; the rest are for later.
    case connecting(TCPStream, rest: ArraySlice<TCPAddress>)
    case open(TCPStream)
    /// The peer was told that no more follows, and we wait for it to say the same.
    case lingering(TCPStream)
    case closed
  }

  let id: StreamID
  var phase: Phase
  var unsent = UnsentBytes()
  /// When patience with the current state ends.
  var deadline: Duration?
  /// The machine wants it closed once `unsent` is empty.
  var isClosing = false
  /// The peer will send no more.
  var hasPeerEnded = false
  /// Whether the peer did so before the machine closed.
  var isEndedByPeer = false
  /// The kernel had no room at the last try.
  var isBlocked = false
  /// More than the low-water mark was unsent, and the machine waits to hear that it is less.
  var isCongested = false
  /// The machine has to deal with what came first.
  var isHeld = false
  /// What is connected to, for the text of errors; and until when.
  let target: String
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

  /// The descriptor to watch for reading. None after the end: it would be ready for ever.
  var readableDescriptor: Int32? {
    switch phase {
    case .open where isHeld && !isClosing: nil
    case .open(let stream), .lingering(let stream): hasPeerEnded ? nil : stream.fileDescriptor
    case .resolving, .connecting, .closed: nil
    }
  }

  /// The descriptor to watch for writing.
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
