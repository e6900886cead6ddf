/// The masking of a client's payload (RFC 6455 §5.3).
package struct Mask: Equatable {
  /// The key's bytes, the first one lowest, turned so that the next payload byte meets the first.
  private var key: UInt32

  /// - Parameter key: The key as it is sent, its first byte highest.
  package init(_ key: UInt32) {
    self.key = key.byteSwapped
  }

  /// Masks or unmasks the bytes from `start` to the end, and goes on behind them next time.
  package mutating func apply(to bytes: inout [UInt8], from start: Int) {
    let count = bytes.count - start
    guard start >= 0, count > 0, key != 0 else { return }
    let wide = UInt64(key) << 32 | UInt64(key)
    bytes.withUnsafeMutableBytes { buffer in
      var offset = start
      while buffer.count - offset >= 8 {
        let word = buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        buffer.storeBytes(of: word ^ wide.littleEndian, toByteOffset: offset, as: UInt64.self)
        offset += 8
      }
      for (position, index) in (offset..<buffer.count).enumerated() {
        buffer[index] ^= UInt8(truncatingIfNeeded: wide >> (8 * UInt64(position)))
      }
    }
    let turn = UInt32(count % 4 * 8)
    key = turn == 0 ? key : key >> turn | key << (32 - turn)
  }
}
