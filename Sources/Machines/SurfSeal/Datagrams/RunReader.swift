package import SurfTransport
package import SurfWire

/// Reads the datagrams of one buffer of the network through a seal: opened packets lie one behind
/// the other again, as they came.
package struct RunReader: Sendable {
  /// Why a datagram was dropped.
  package enum Drop: Error, Equatable, Sendable {
    case unreadable(WireError)
    /// A row of Protocol.md §15.
    case reason(String)

    package var reason: String {
      switch self {
      case .unreadable(let error): error.reason
      case .reason(let reason): reason
      }
    }
  }

  /// May use the seal, to answer at once.
  package typealias Handler = (Result<IncomingDatagram, Drop>, inout any DatagramSeal) -> Void

  /// The largest buffer that a socket fills, and room behind it for the largest datagram.
  private static let roomSize = 65_536 + Limits.datagramSizeMax

  /// Empty until something sealed comes.
  private var room: [UInt8] = []

  package init() {}

  /// - Parameter handler: gets packets that are valid until it returns.
  package mutating func read(
    _ run: UnsafeRawBufferPointer, segmentSize: Int, through seal: inout any DatagramSeal,
    from endpoint: Endpoint, at now: Duration, _ handler: Handler
  ) {
    guard !seal.isOpen else {
      return Self.read(run, segmentSize: segmentSize, &seal, handler)
    }
    if room.isEmpty { room = [UInt8](repeating: 0, count: Self.roomSize) }
    room.withUnsafeMutableBytes { room in
      let segments = DatagramSegments(run, size: segmentSize)
      var batch = Batch(room, of: segments)
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

/// Opened datagrams one behind the other: all of one size but the last, which may be smaller, and
/// all that came between the first and the last.
private struct Batch {
  private let room: UnsafeMutableRawBufferPointer
  private let sealed: DatagramSegments
  /// Which of the sealed ones is the first.
  private var first = 0
  private var segmentSize = 0
  private var count = 0

  init(_ room: UnsafeMutableRawBufferPointer, of sealed: DatagramSegments) {
    self.room = room
    self.sealed = sealed
  }

  /// Behind what is here.
  var free: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: room[count...])
  }

  /// Takes what was opened into `free`.
  ///
  /// - Parameter index: among the sealed ones.
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
      UnsafeRawBufferPointer(rebasing: room[..<count]), segmentSize: segmentSize,
      sealed: sealed.dropFirst(first), &seal, handler)
    (count, segmentSize) = (0, 0)
  }

  /// The newest one, of which there is only the beginning of a new batch, moves to the front.
  private mutating func flush(
    keeping size: Int, _ seal: inout any DatagramSeal, _ handler: RunReader.Handler
  ) {
    let start = count
    flush(&seal, handler)
    room.copyMemory(from: UnsafeRawBufferPointer(rebasing: room[start..<(start + size)]))
  }
}
