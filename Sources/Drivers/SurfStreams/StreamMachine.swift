/// What happened to a stream.
package enum StreamEvent: Equatable, Sendable {
  /// A peer connected to `local`, one of the loop's own addresses.
  case accepted(StreamID, peer: TCPAddress, local: TCPAddress)
  /// A `.connect` succeeded.
  case connected(StreamID, peer: TCPAddress)
  /// Bytes came, at least one and at most `StreamLimits.readSize`.
  case received(StreamID, [UInt8])
  /// The peer will send no more (RFC 9293 §3.6), but may still read. Say `.closeAfterWriting` once
  /// all is said; after `StreamLimits.halfOpenMax` without any progress the loop closes the stream.
  case ended(StreamID)
  /// The unsent bytes were more than `StreamLimits.lowWater`, and now are not; `unsent` are left.
  /// Not told after `.closeAfterWriting`.
  case progress(StreamID, unsent: Int)
  /// All written bytes have left: the kernel has them. Not told after `.closeAfterWriting`.
  case drained(StreamID)
  /// The stream is gone, and its name will not be heard again. For each that was accepted, and each
  /// `.connect`, this comes exactly once.
  case closed(StreamID, StreamEnd)

  /// The stream that it happened to.
  package var stream: StreamID {
    switch self {
    case .accepted(let id, _, _), .connected(let id, _), .received(let id, _), .ended(let id),
      .progress(let id, _), .drained(let id), .closed(let id, _):
      id
    }
  }
}

/// Why a stream is gone.
package enum StreamEnd: Equatable, Sendable {
  /// The peer was the first to say that no more follows.
  case byPeer
  /// The machine, or the loop's `stop`, closed or aborted it.
  case byUs
  /// Connecting failed, the connection broke or a limit was exceeded; one line for people.
  case failed(String)
}

/// What to do with a stream; ignored for a stream that is gone.
package enum StreamAction: Equatable, Sendable {
  /// Begins a stream with a new name of the machine's own `StreamIDs.connecting`; a name that is in
  /// use is passed over. All addresses of the host are tried in turn, until `timeout` has passed.
  case connect(StreamID, host: String, port: UInt16, timeout: Duration)
  /// Sends bytes after all earlier ones; while it connects, they wait.
  case write(StreamID, [UInt8])
  /// Sends what was written, then closes. Nothing received is told from here on.
  case closeAfterWriting(StreamID)
  /// Drops what is unsent, and closes at once by a reset.
  case abort(StreamID)
  /// Reads no more of a stream, until it is released: its peer soon has to wait. The end of the
  /// stream waits as well.
  case hold(StreamID)
  case release(StreamID)
}

/// What a `StreamLoop` drives: protocol logic without sockets, clock or threads. It lives on the
/// loop's thread; times are since the loop's origin, and never go back.
///
/// Actions are done after the events of a turn, and again after `advance`, so a stream that the
/// machine gave up may still have events until its `.closed`. `Input`s come in the order in which
/// each thread sent them.
package protocol StreamMachine: SendableMetatype {
  /// What other threads send in.
  associatedtype Input: Sendable

  /// Something happened to a stream.
  mutating func receive(_ event: StreamEvent, at now: Duration)
  /// Another thread wants something.
  mutating func receive(_ input: Input, at now: Duration)
  /// Does what is due.
  mutating func advance(to now: Duration)
  /// When to `advance` next if nothing happens, `nil` for never. Must lie in the future after
  /// `advance`, or the loop spins.
  var deadline: Duration? { get }
  /// What to do now, in order; each action is given once.
  mutating func takeActions() -> [StreamAction]
}

/// Names one stream of a `StreamLoop`, from its beginning to its `.closed`; never used again.
package struct StreamID: Hashable, Sendable {
  let number: UInt64
}

extension StreamID: CustomStringConvertible {
  /// "stream 7".
  package var description: String { "stream \(number)" }
}

/// Draws names for new streams.
///
/// A loop draws odd numbers for those that it accepts, and its machine even ones for those that it
/// connects, so that the two never meet.
package struct StreamIDs: Sendable {
  private var last: UInt64

  private init(after last: UInt64) { self.last = last }

  /// For the streams that a machine connects; one machine draws from one of these only.
  package static var connecting: StreamIDs { StreamIDs(after: 0) }

  /// For the streams that a loop accepts.
  package static var accepting: StreamIDs { StreamIDs(after: 1) }

  /// A name that was not drawn before.
  package mutating func next() -> StreamID {
    // 2^63 of them: at a million a second, 292,000 years.
    last &+= 2
    return StreamID(number: last)
  }
}
