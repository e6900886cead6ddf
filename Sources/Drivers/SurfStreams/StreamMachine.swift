/// An event of a stream, which a `StreamLoop` reports to its machine.
package enum StreamEvent: Equatable, Sendable {
  /// A peer connected to `local`, one of the loop's own addresses.
  case accepted(StreamID, peer: TCPAddress, local: TCPAddress)
  /// A `.connect` succeeded.
  case connected(StreamID, peer: TCPAddress)
  /// At least one byte arrived, and at most `StreamLimits.readSize`.
  case received(StreamID, [UInt8])
  /// The peer will send no more (RFC 9293 §3.6), but may still read. Use `.closeAfterWriting` after
  /// the last write. The loop aborts the stream after `StreamLimits.halfOpenMax` without progress.
  case ended(StreamID)
  /// The number of unsent bytes has fallen to `StreamLimits.lowWater` or below. Not sent after
  /// `.closeAfterWriting`.
  case progress(StreamID, unsent: Int)
  /// The kernel has taken all written bytes. Not sent after `.closeAfterWriting`.
  case drained(StreamID)
  /// The stream is gone. This is its last event. Every accepted stream and every `.connect` gets
  /// exactly one.
  case closed(StreamID, StreamEnd)

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
  /// The peer closed its side first.
  case byPeer
  /// The machine, or the loop's `stop`, closed or aborted the stream.
  case byUs
  /// Connecting failed, the connection broke, or a limit was exceeded. One line for people.
  case failed(String)
}

/// A request of a machine to its `StreamLoop`. Ignored if the stream is gone.
package enum StreamAction: Equatable, Sendable {
  /// Starts a stream with a new id of the machine's own `StreamIDs.connecting`. Ignored if the id
  /// is in use. The loop tries all addresses of the host in turn, until `timeout` has passed.
  case connect(StreamID, host: String, port: UInt16, timeout: Duration)
  /// Sends bytes after all earlier ones. They wait until the stream is connected.
  case write(StreamID, [UInt8])
  /// Sends the unsent bytes, then closes. The machine gets no more received bytes.
  case closeAfterWriting(StreamID)
  /// Drops the unsent bytes, and closes immediately with a reset.
  case abort(StreamID)
  /// Stops reading from a stream until `release`, so that its peer soon has to wait. The end of the
  /// stream is not reported meanwhile.
  case hold(StreamID)
  case release(StreamID)
}

/// Protocol logic that a `StreamLoop` drives, without sockets, clock or threads. It lives on the
/// loop's thread. Times count from the loop's origin, and never go back.
///
/// The loop performs actions after accepting streams, after the events of a turn, and after
/// `advance`. So a stream that the machine has closed may still have events until its `.closed`.
/// Each thread's inputs arrive in the order they were sent.
package protocol StreamMachine: SendableMetatype {
  /// The messages of other threads.
  associatedtype Input: Sendable

  mutating func receive(_ event: StreamEvent, at now: Duration)
  mutating func receive(_ input: Input, at now: Duration)
  /// Does what is due.
  mutating func advance(to now: Duration)
  /// When to call `advance` next if nothing happens, or `nil` for never. After `advance` it must be
  /// in the future, or the loop spins.
  var deadline: Duration? { get }
  /// The actions to perform now, in order. Returns each action once.
  mutating func takeActions() -> [StreamAction]
}

/// Identifies one stream of a `StreamLoop` until its `.closed`. It is never reused.
package struct StreamID: Hashable, Sendable {
  let number: UInt64
}

extension StreamID: CustomStringConvertible {
  package var description: String { "stream \(number)" }
}

/// Generates the ids of new streams.
///
/// A loop uses odd numbers for streams that it accepts, and its machine even numbers for streams
/// that it connects, so that they never collide.
package struct StreamIDs: Sendable {
  private var last: UInt64

  private init(after last: UInt64) { self.last = last }

  /// For the streams that a machine connects. Each machine has one of these.
  package static var connecting: StreamIDs { StreamIDs(after: 0) }

  /// For the streams that a loop accepts.
  package static var accepting: StreamIDs { StreamIDs(after: 1) }

  package mutating func next() -> StreamID {
    // 2^63 ids last 292,000 years at a million a second.
    last &+= 2
    return StreamID(number: last)
  }
}
