package import SurfTransport
package import SurfWire

/// Stands between an end's machines, which know only open datagrams, and its sockets. An app uses
/// `AppSeal`, a viewer `ViewerSeal`, and either uses `OpenSeal` without a key.
///
/// One thread at a time may use a seal. It must outlive the sockets, because it must never use a
/// number twice.
package protocol DatagramSeal: Sendable {
  /// Whether datagrams pass unchanged.
  var isOpen: Bool { get }

  /// The key of a session; nil if the session is not sealed or not known yet.
  func key(of session: SessionID) -> GroupKey?

  /// Seals a transmission; empty if it must not be sent. A viewer's probe becomes several.
  mutating func seal(_ transmission: Transmission) -> [Transmission]

  /// Opens a received datagram into `buffer`.
  ///
  /// - Parameter buffer: at least `Limits.datagramSizeMax` octets.
  mutating func open(
    _ datagram: UnsafeRawBufferPointer, into buffer: UnsafeMutableRawBufferPointer,
    from endpoint: Endpoint, at now: Duration
  ) -> Opening
}

/// The result of opening a received datagram.
package enum Opening: Equatable, Sendable {
  /// It is not sealed; read it as it is.
  case asItIs
  /// Its open form is now in the buffer.
  case opened(size: Int)
  /// Ignored and not counted: it is not for this end, or its session is not known yet.
  case passed
  /// Dropped, for this reason of Protocol.md §15.
  case dropped(String)
}

extension DatagramSeal {
  package var isOpen: Bool { false }
}

/// The seal without a key. It sends nothing that must be sealed, and leaves sealed datagrams to the
/// reader, which drops them.
package struct OpenSeal: DatagramSeal {
  package init() {}

  package var isOpen: Bool { true }

  package func key(of session: SessionID) -> GroupKey? { nil }

  package mutating func seal(_ transmission: Transmission) -> [Transmission] {
    transmission.mustBeSealed ? [] : [transmission]
  }

  package mutating func open(
    _ datagram: UnsafeRawBufferPointer, into buffer: UnsafeMutableRawBufferPointer,
    from endpoint: Endpoint, at now: Duration
  ) -> Opening {
    .asItIs
  }
}
