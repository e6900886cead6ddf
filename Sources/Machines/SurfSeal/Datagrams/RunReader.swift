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
      var batch = Batch(room)
      for start in stride(from: 0, to: max(run.count, 1), by: max(segmentSize, 1)) {
        let datagram = UnsafeRawBufferPointer(
          rebasing: run[start..<min(start + segmentSize, run.count)])
        switch seal.open(datagram, into: batch.free, from: endpoint, at: now) {
        case .opened(let size): batch.take(size, &seal, handler)
        case .asItIs:
          batch.flush(&seal, handler)
          Self.read(datagram, segmentSize: datagram.count, &seal, handler)
        case .dropped(let reason): handler(.failure(.reason(reason)), &seal)
        case .passed: break
        }
      }
      batch.flush(&seal, handler)
    }
  }

  fileprivate static func read(
    _ run: UnsafeRawBufferPointer, segmentSize: Int, _ seal: inout any DatagramSeal,
    _ handler: Handler
  ) {
    var datagrams = IncomingDatagrams(run, segmentSize: segmentSize)
    while let next = datagrams.next() { handler(next.mapError(Drop.unreadable), &seal) }
  }
}

/// Opened datagrams one behind the other: all of one size but the last, which may be smaller.
private struct Batch {
  private let room: UnsafeMutableRawBufferPointer
  private var segmentSize = 0
  private var count = 0

  init(_ room: UnsafeMutableRawBufferPointer) { self.room = room }

  /// Behind what is here.
  var free: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: room[count...])
  }

  /// Takes what was opened into `free`.
  mutating func take(
    _ size: Int, _ seal: inout any DatagramSeal, _ handler: RunReader.Handler
  ) {
    if segmentSize > 0, size > segmentSize { flush(keeping: size, &seal, handler) }
    if segmentSize == 0 { segmentSize = size }
    count += size
    if size < segmentSize { flush(&seal, handler) }
  }

  mutating func flush(_ seal: inout any DatagramSeal, _ handler: RunReader.Handler) {
    guard count > 0 else { return }
    RunReader.read(
      UnsafeRawBufferPointer(rebasing: room[..<count]), segmentSize: segmentSize, &seal,
      handler)
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
