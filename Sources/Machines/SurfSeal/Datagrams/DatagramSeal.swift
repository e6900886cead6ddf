package import SurfTransport
package import SurfWire

/// What lies between an end's machines, which know open datagrams alone, and its sockets.
///
/// Open datagrams pass through `OpenSeal` as they are. One thread at a time may use a seal, and it
/// must outlive the sockets: its numbers never come twice.
package protocol DatagramSeal: Sendable {
  /// Whether all passes as it is.
  var isOpen: Bool { get }

  /// The key of a session, if it is sealed and was heard of.
  func key(of session: SessionID) -> GroupKey?

  /// What leaves instead; nothing if it must not leave.
  mutating func seal(_ transmission: Transmission) -> [Transmission]

  /// Reads a datagram of the network into `room`, in its open form.
  ///
  /// - Parameter room: of at least `Limits.datagramSizeMax` octets.
  mutating func open(
    _ datagram: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer,
    from endpoint: Endpoint, at now: Duration
  ) -> Opening
}

/// What became of a datagram that came.
package enum Opening: Equatable, Sendable {
  /// It was not sealed, and may be read as it is.
  case asItIs
  /// It is in the room, of so many octets.
  case opened(size: Int)
  /// It means nothing here, and is counted nowhere: nobody was told of its session yet.
  case passed
  /// It is dropped, for this reason of Protocol.md §15.
  case dropped(String)
}

extension DatagramSeal {
  package var isOpen: Bool { false }
}

/// No key: what is sealed is dropped.
package struct OpenSeal: DatagramSeal {
  package init() {}

  package var isOpen: Bool { true }

  package func key(of session: SessionID) -> GroupKey? { nil }

  package mutating func seal(_ transmission: Transmission) -> [Transmission] {
    transmission.mustBeSealed ? [] : [transmission]
  }

  package mutating func open(
    _ datagram: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer,
    from endpoint: Endpoint, at now: Duration
  ) -> Opening {
    .asItIs
  }
}
