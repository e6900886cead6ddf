import SurfSockets

/// The send queue of one stream: bytes that the kernel has not taken yet.
package struct UnsentBytes {
  /// Small writes are gathered up to this size, so that they share a system call.
  package static let chunkSize = 64 << 10

  private var chunks: [[UInt8]] = []
  /// The index of the first chunk. Those before it are sent and empty.
  private var first = 0
  /// The number of sent bytes in the first chunk.
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

  /// Calls `body` with some bytes from the front, or with none if the queue is empty.
  package func withFront<Result>(
    _ body: (UnsafeRawBufferPointer) throws(SocketError) -> Result
  ) throws(SocketError) -> Result {
    guard first < chunks.count else {
      return try body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    // Array.withUnsafeBytes does not preserve the type of the error.
    let outcome = chunks[first].withUnsafeBytes { bytes -> Swift.Result<Result, SocketError> in
      do throws(SocketError) {
        return .success(try body(UnsafeRawBufferPointer(rebasing: bytes[offset...])))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  /// Removes sent bytes from the front, at most those that `withFront` passed.
  package mutating func drop(_ size: Int) {
    guard first < chunks.count, size <= chunks[first].count - offset else { return }
    count -= size
    offset += size
    guard offset == chunks[first].count else { return }
    chunks[first] = []
    first += 1
    offset = 0
    // Only once most chunks are empty, because moving the others takes time.
    guard first >= 16, first * 2 >= chunks.count else { return }
    chunks.removeFirst(first)
    first = 0
  }

  package mutating func removeAll() { self = UnsentBytes() }
}
