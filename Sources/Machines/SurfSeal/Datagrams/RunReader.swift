package import SurfTransport
package import SurfWire

/// Opens the datagrams of one receive buffer, and reads them. `Link` uses it at both ends. Opened
/// packets become one train again, as they were received.
package struct RunReader: Sendable {
  /// Why a datagram was dropped.
  package enum Drop: Error, Equatable, Sendable {
    case unreadable(WireError)
    case reason(String)

    package var reason: String {
      switch self {
      case .unreadable(let error): error.reason
      case .reason(let reason): reason
      }
    }
  }

  /// Called for each result. It may use the seal to answer immediately.
  package typealias Handler = (Result<IncomingDatagram, Drop>, inout any DatagramSeal) -> Void

  /// The largest buffer that a socket fills, plus space for the largest datagram after it.
  private static let bufferSize = 65_536 + Limits.datagramSizeMax

  /// Empty until a sealed datagram arrives.
  private var buffer: [UInt8] = []

  package init() {}

  /// - Parameter handler: its packets are valid until it returns.
  package mutating func read(
    _ run: UnsafeRawBufferPointer, segmentSize: Int, through seal: inout any DatagramSeal,
    from endpoint: Endpoint, at now: Duration, _ handler: Handler
  ) {
    guard !seal.isOpen else {
      return Self.read(run, segmentSize: segmentSize, &seal, handler)
    }
    if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: Self.bufferSize) }
    buffer.withUnsafeMutableBytes { buffer in
      let segments = DatagramSegments(run, size: segmentSize)
      var batch = Batch(buffer, of: segments)
      let count = max(1, (run.count + segmentSize - 1) / max(segmentSize, 1))
      for index in 0..<count {
        let datagram = segments[index]
        let opening = seal.open(datagram, into: batch.free, from: endpoint, at: now)
        if case .opened(let size) = opening {
          batch.take(size, index, &seal, handler)
          continue
        }
        batch.flush(&seal, handler)
        switch opening {
        case .asItIs: Self.read(datagram, segmentSize: datagram.count, &seal, handler)
        case .dropped(let reason): handler(.failure(.reason(reason)), &seal)
        case .passed, .opened: break
        }
      }
      batch.flush(&seal, handler)
    }
  }

  fileprivate static func read(
    _ run: UnsafeRawBufferPointer, segmentSize: Int, sealed: DatagramSegments? = nil,
    _ seal: inout any DatagramSeal, _ handler: Handler
  ) {
    var datagrams = IncomingDatagrams(run, segmentSize: segmentSize, sealed: sealed)
    while let next = datagrams.next() { handler(next.mapError(Drop.unreadable), &seal) }
  }
}

/// Consecutive opened datagrams: all of one size but the last, which may be smaller, with none
/// missing in between.
private struct Batch {
  private let buffer: UnsafeMutableRawBufferPointer
  private let sealed: DatagramSegments
  /// The index of the first one among the sealed datagrams.
  private var first = 0
  private var segmentSize = 0
  private var count = 0

  init(_ buffer: UnsafeMutableRawBufferPointer, of sealed: DatagramSegments) {
    self.buffer = buffer
    self.sealed = sealed
  }

  /// The memory after the datagrams collected so far.
  var free: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
  }

  /// Takes the datagram that was opened into `free`.
  ///
  /// - Parameter index: its index among the sealed datagrams.
  mutating func take(
    _ size: Int, _ index: Int, _ seal: inout any DatagramSeal, _ handler: RunReader.Handler
  ) {
    if segmentSize > 0, size > segmentSize { flush(keeping: size, &seal, handler) }
    if segmentSize == 0 { (segmentSize, first) = (size, index) }
    count += size
    if size < segmentSize { flush(&seal, handler) }
  }

  mutating func flush(_ seal: inout any DatagramSeal, _ handler: RunReader.Handler) {
    guard count > 0 else { return }
    RunReader.read(
      UnsafeRawBufferPointer(rebasing: buffer[..<count]), segmentSize: segmentSize,
      sealed: sealed.dropFirst(first), &seal, handler)
    (count, segmentSize) = (0, 0)
  }

  /// Delivers all but the newest datagram, and moves that one to the front: it begins a new batch.
  private mutating func flush(
    keeping size: Int, _ seal: inout any DatagramSeal, _ handler: RunReader.Handler
  ) {
    let start = count
    flush(&seal, handler)
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[start..<(start + size)]))
  }
}

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
