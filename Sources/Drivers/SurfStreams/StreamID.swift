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
