import CSurfSockets
import Glibc

/// What one call of `UDPSocket.receive` found.
package struct ReceiveOutcome: Equatable, Sendable {
  /// How many datagrams the handler was given.
  package var datagrams: Int
  /// Whether the call stopped at its bound, so that more may wait.
  package var mayHaveMore: Bool
}

extension UDPSocket {
  /// Gives the handler each waiting datagram, one by one, with its sender, and never waits for
  /// more. The bytes are valid until the handler returns.
  ///
  /// One call fills 32 buffers at most, so that a flood on one socket does not starve the others.
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

  /// The same, with the datagrams that the kernel put together in one piece: datagrams of one
  /// sender, one behind the other, all of `segmentSize` octets but the last, which may be smaller.
  /// Empty for a datagram with nothing in it.
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
      // An earlier datagram found no listener; the socket itself is well.
      counters.refused += 1
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

  /// The kernel counts modulo 2^32, and two cores may swap neighbours: only steps ahead count.
  private func noteDrops(_ count: UInt32) {
    let step = Int32(bitPattern: count &- lastDropCount)
    guard step > 0 else { return }
    counters.kernelDrops += Int(step)
    lastDropCount = count
  }
}
