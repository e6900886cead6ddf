/// The harness's message: a header of 32 octets, little-endian, and a payload like JSON.
enum Message {
  static let magic: UInt32 = 0x3142_4d48
  static let headerSize = 32
  static let sizeMin = 64

  struct Header {
    var size: UInt32
    /// 1, 2, 3 …; 0 for a warm-up.
    var sequence: UInt64
    /// When it was sent, by the monotonic clock.
    var time: UInt64
    var sum: UInt64

    init(size: Int, sequence: UInt64, time: UInt64, payloadSum: UInt64) {
      self.size = UInt32(size)
      self.sequence = sequence
      self.time = time
      sum = Self.seal(payloadSum, sequence)
    }

    /// Nil if it is not that of a message of just these octets.
    init?(_ bytes: UnsafeRawBufferPointer) {
      guard bytes.count >= Message.headerSize,
        UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)) == Message.magic
      else { return nil }
      size = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
      sequence = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      time = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
      sum = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
      guard Int(size) == bytes.count else { return nil }
    }

    func store(in bytes: UnsafeMutableRawBufferPointer) {
      bytes.storeBytes(of: Message.magic.littleEndian, as: UInt32.self)
      bytes.storeBytes(of: size.littleEndian, toByteOffset: 4, as: UInt32.self)
      bytes.storeBytes(of: sequence.littleEndian, toByteOffset: 8, as: UInt64.self)
      bytes.storeBytes(of: time.littleEndian, toByteOffset: 16, as: UInt64.self)
      bytes.storeBytes(of: sum.littleEndian, toByteOffset: 24, as: UInt64.self)
    }

    func matches(payloadSum: UInt64) -> Bool { sum == Self.seal(payloadSum, sequence) }

    private static func seal(_ payloadSum: UInt64, _ sequence: UInt64) -> UInt64 {
      payloadSum ^ (sequence &* 0x9e37_79b9_7f4a_7c15)
    }
  }

  static func payload(of bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[min(headerSize, bytes.count)...])
  }

  /// A message without its header: the text that the other engines send.
  static func template(size: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: headerSize)
    bytes.reserveCapacity(size + 128)
    var number = 0
    while bytes.count < size {
      let item =
        "{\"todos\":[{\"id\":\(number),\"title\":\"buy milk\",\"done\":false,"
        + "\"tags\":[\"a\",\"b\"]}],\"user\":{\"name\":\"x\"}},"
      bytes.append(contentsOf: item.utf8)
      number += 1
    }
    bytes.removeLast(bytes.count - size)
    return bytes
  }
}
