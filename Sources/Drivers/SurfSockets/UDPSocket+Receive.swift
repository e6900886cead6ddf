import CSurfSystem
import Glibc
import SurfThreads

/// The result of one call of `UDPSocket.receive`.
package struct ReceiveOutcome: Equatable, Sendable {
  /// The datagrams that the handler was given.
  package var datagrams: Int
  /// Whether the call reached its limit, so that more may be waiting.
  package var mayHaveMore: Bool
}

extension UDPSocket {
  /// Passes each waiting datagram to the handler, with its sender. Never waits for more. The bytes
  /// are valid until the handler returns. `doctor` uses it, and loops use `receiveRuns`.
  ///
  /// One call fills at most 32 buffers, so that a flood on one socket does not starve the others.
  package func receive(
    _ handler: (_ datagram: UnsafeRawBufferPointer, _ from: IPv4Endpoint) -> Void
  ) throws(SocketError) -> ReceiveOutcome {
    try receiveRuns { run, segmentSize, from in
      // At least once: an empty datagram is a datagram.
      var offset = 0
      repeat {
        let end = min(offset + segmentSize, run.count)
        handler(UnsafeRawBufferPointer(rebasing: run[offset..<end]), from)
        offset = end
      } while offset < run.count
    }
  }

  /// Like `receive`, with the datagrams that the kernel has coalesced: adjacent datagrams of one
  /// sender, of `segmentSize` octets each. The last may be smaller. Empty for an empty datagram.
  package func receiveRuns(
    _ handler: (_ run: UnsafeRawBufferPointer, _ segmentSize: Int, _ from: IPv4Endpoint) -> Void
  ) throws(SocketError) -> ReceiveOutcome {
    let filled = inbox.fill(from: descriptor)
    guard filled >= 0 else { return try nothingReceived(errno: -filled) }
    let before = counters.received
    for index in 0..<filled {
      deliver(inbox[index], handler)
    }
    return ReceiveOutcome(
      datagrams: counters.received - before, mayHaveMore: inbox.isFull)
  }

  private func nothingReceived(errno: Int32) throws(SocketError) -> ReceiveOutcome {
    switch errno {
    case EAGAIN: return ReceiveOutcome(datagrams: 0, mayHaveMore: false)
    case ECONNREFUSED:
      // An earlier datagram found no listener. The socket itself works.
      return ReceiveOutcome(datagrams: 0, mayHaveMore: true)
    default: throw .system(.receive, errno: errno)
    }
  }

  private func deliver(
    _ received: surf_received,
    _ handler: (_ run: UnsafeRawBufferPointer, _ segmentSize: Int, _ from: IPv4Endpoint) -> Void
  ) {
    if received.has_drop_count { noteDrops(received.drop_count) }
    guard !received.is_truncated else {
      counters.truncated += 1
      return
    }
    let run = UnsafeRawBufferPointer(start: received.bytes, count: received.size)
    let segmentSize = received.segment_size > 0 ? received.segment_size : received.size
    if received.size > segmentSize { counters.coalescedBuffers += 1 }
    counters.received += run.isEmpty ? 1 : (run.count + segmentSize - 1) / segmentSize
    handler(run, segmentSize, IPv4Endpoint(received.from))
  }

  /// The kernel counts modulo 2^32, and two cores may reorder counts. Only increases matter.
  private func noteDrops(_ count: UInt32) {
    let step = Int32(bitPattern: count &- lastDropCount)
    guard step > 0 else { return }
    counters.kernelDrops += Int(step)
    lastDropCount = count
  }
}

/// Returns freed memory to the system.
package func trimMemory() { surf_trim_memory() }

/// The buffers that one system call of a `UDPSocket` fills with datagrams: 2 MiB of address space.
/// Only buffers that were ever filled take memory.
struct Inbox: ~Copyable {
  private let pointer: OpaquePointer
  /// Buffers that the next call may fill.
  private var limit = Self.countMin
  /// Whether the last call filled all buffers that it could.
  private(set) var isFull = false

  /// A few long runs stay in the processor's cache until they are read. With four, a viewer of 64
  /// KB states needs a tenth less time than with eight.
  static let countMin: Int32 = 4
  /// Single datagrams are short, and a call for every four would cost more than reading them.
  static let countMax = Int32(SURF_INBOX_COUNT)
  private static let longSizeMin = 16_384

  init() throws(SocketError) {
    guard let pointer = surf_inbox_create() else {
      throw .system(.allocateBuffers, errno: ENOMEM)
    }
    self.pointer = pointer
  }

  deinit { surf_inbox_free(pointer) }

  /// Returns how many buffers were filled, or a negated errno.
  mutating func fill(from descriptor: borrowing Descriptor) -> Int32 {
    let filled = surf_inbox_receive(pointer, descriptor.raw, UInt32(limit))
    isFull = filled == limit
    let mustGrow = isFull && self[filled - 1].size < Self.longSizeMin
    limit = mustGrow ? min(limit * 2, Self.countMax) : Self.countMin
    return filled
  }

  /// The content of buffer `index`, valid until the next `fill`.
  subscript(index: Int32) -> surf_received {
    surf_inbox_at(pointer, UInt32(index))
  }
}

/// Datagrams in the caller's memory for one system call, at most 64,000 octets and 44 datagrams.
/// All have the same size except the last, which may be smaller. Each may begin with a head from
/// another buffer.
package struct DatagramRun {
  /// The adjacent datagrams, without their heads.
  let bytes: UnsafeRawBufferPointer
  /// Octets of a datagram, with its head.
  let segmentSize: Int
  /// The adjacent heads.
  let heads: UnsafeRawBufferPointer
  let headSize: Int

  /// - Precondition: `headSize` is less than `segmentSize`, and `heads` has one for each datagram.
  package init(
    _ bytes: UnsafeRawBufferPointer, segmentSize: Int,
    heads: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0), headSize: Int = 0
  ) {
    self.bytes = bytes
    self.segmentSize = segmentSize
    self.heads = heads
    self.headSize = headSize
  }

  private var pieceSize: Int { segmentSize - headSize }
  var count: Int { (bytes.count + pieceSize - 1) / pieceSize }

  /// A copy of each datagram.
  var datagrams: [[UInt8]] {
    (0..<count).map { index in
      let start = index * pieceSize
      return heads[index * headSize..<(index + 1) * headSize]
        + [UInt8](bytes[start..<min(start + pieceSize, bytes.count)])
    }
  }

  var forSystem: surf_segments {
    surf_segments(
      bytes: bytes.baseAddress, size: bytes.count, heads: heads.baseAddress, head_size: headSize,
      segment_size: UInt16(segmentSize))
  }
}
