/// The limits of a `StreamLoop`. Sizes in bytes.
package struct StreamLimits: Equatable, Sendable {
  /// Streams at a time, of both kinds. A further one that comes is closed at once; a further one
  /// that the machine connects fails.
  package var streamsMax = 256
  /// Unsent bytes of one stream. If more are left after the kernel took what it could, the peer is
  /// too slow, and the stream is aborted; a single write of more than this may not get through.
  package var unsentMax = 16 << 20
  /// Unsent bytes of all streams together. Beyond them the stream with the most is aborted.
  package var unsentSumMax = Int.max
  /// The mark of `StreamEvent.progress`.
  package var lowWater = 256 << 10
  /// Read from one stream in one turn, so that it does not starve the others.
  var readSize = 64 << 10
  /// Read from all streams in one turn, so that reading does not starve everything else.
  var turnReadSize = 1 << 20
  /// For the rest of a stream that the peer half closed, since the last progress.
  package var halfOpenMax = Duration.seconds(30)
  /// For the unsent bytes of a stream that the machine closes, since the last progress.
  package var closingMax = Duration.seconds(10)
  /// For the peer to close as well, once it was told. Closing before would reset the connection if
  /// bytes come in meanwhile, and the peer might lose what it has not read yet (RFC 9112 §9.6).
  package var lingerMax = Duration.seconds(1)
  /// For unsent bytes when the loop stops.
  package var stopMax = Duration.milliseconds(500)
  /// How long to leave a listener alone when there is no room for what it would accept.
  package var acceptPause = Duration.milliseconds(100)

  /// The usual limits.
  package init() {}
}

/// What a `StreamLoop` saw since it began.
package struct StreamCounters: Equatable, Sendable {
  /// Connections that came and were taken.
  package var accepted = 0
  /// Connections that came and were closed at once, because of `StreamLimits.streamsMax`.
  package var turnedAway = 0
  /// Times that there was no room for an accepted connection, in the process or the system.
  package var acceptPauses = 0
  /// Connections made.
  package var connected = 0
  /// Streams that are gone, for whatever reason.
  package var closed = 0
  /// Bytes read.
  package var received = 0
  /// Bytes that the kernel took.
  package var sent = 0
  /// Rounds of the loop; many with nothing to do would mean that it spins.
  package var turns = 0
}
