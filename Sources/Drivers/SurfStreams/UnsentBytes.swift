import SurfSockets

/// The bytes of one stream that wait for room in the kernel, in order.
package struct UnsentBytes {
  /// Small writes are gathered up to this size, so that many of them cost one system call.
  package static let chunkSize = 64 << 10

  private var chunks: [[UInt8]] = []
  /// The chunks before this one have left, and are empty.
  private var first = 0
  /// How much of the first chunk has left.
  private var offset = 0
  package private(set) var count = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }

  package mutating func append(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    count += bytes.count
    if first < chunks.count, chunks[chunks.count - 1].count + bytes.count <= Self.chunkSize {
      chunks[chunks.count - 1].append(contentsOf: bytes)
    } else {
      chunks.append(bytes)
    }
  }

  /// Calls with some bytes from the front, none only if there are none.
  package func withFront<Result>(
    _ body: (UnsafeRawBufferPointer) throws(SocketError) -> Result
  ) throws(SocketError) -> Result {
    guard first < chunks.count else {
      return try body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    // Array.withUnsafeBytes does not pass on which error it is.
    let outcome = chunks[first].withUnsafeBytes { bytes -> Swift.Result<Result, SocketError> in
      do throws(SocketError) {
        return .success(try body(UnsafeRawBufferPointer(rebasing: bytes[offset...])))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  /// Forgets bytes from the front that have left: at most what `withFront` showed.
  package mutating func drop(_ size: Int) {
    guard first < chunks.count, size <= chunks[first].count - offset else { return }
    count -= size
    offset += size
    guard offset == chunks[first].count else { return }
    chunks[first] = []
    first += 1
    offset = 0
    // Only once most of them are empty: moving the others costs their number.
    guard first >= 16, first * 2 >= chunks.count else { return }
    chunks.removeFirst(first)
    first = 0
  }

  package mutating func removeAll() { self = UnsentBytes() }
}
