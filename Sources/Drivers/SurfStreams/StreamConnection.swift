import SurfSockets

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

/// The send queue of one stream: bytes that the kernel has not taken yet.
package struct UnsentBytes {
  /// Small writes are gathered up to this size, so that they share a system call.
  package static let chunkSize = 64 << 10

  private var chunks: [[UInt8]] = []
  /// The index of the first chunk. Those before it are sent and empty.
  private var first = 0
  /// The number of sent bytes in the first chunk.
  private var offset = 0
  package private(set) var count = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }

  package mutating func append(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    count += bytes.count
    if first < chunks.count, chunks[chunks.count - 1].count + bytes.count <= Self.chunkSize {
      chunks[chunks.count - 1].append(contentsOf: bytes)
    } else {
      chunks.append(bytes)
    }
  }

  /// Calls `body` with some bytes from the front, or with none if the queue is empty.
  package func withFront<Result>(
    _ body: (UnsafeRawBufferPointer) throws(SocketError) -> Result
  ) throws(SocketError) -> Result {
    guard first < chunks.count else {
      return try body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    // Unlike the array's own method, the span's preserves the type of the error.
    let chunk = chunks[first]
    return try chunk.span.withUnsafeBytes { bytes throws(SocketError) in
      try body(UnsafeRawBufferPointer(rebasing: bytes[offset...]))
    }
  }

  /// Removes sent bytes from the front, at most those that `withFront` passed.
  package mutating func drop(_ size: Int) {
    guard first < chunks.count, size <= chunks[first].count - offset else { return }
    count -= size
    offset += size
    guard offset == chunks[first].count else { return }
    chunks[first] = []
    first += 1
    offset = 0
    // Only once most chunks are empty, because moving the others takes time.
    guard first >= 16, first * 2 >= chunks.count else { return }
    chunks.removeFirst(first)
    first = 0
  }
}
