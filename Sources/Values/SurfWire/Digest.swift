/// The key of a digest: two unpredictable numbers. The lowest 61 bits of each count.
package struct DigestKey: Hashable, Sendable {
  package var first: UInt64
  package var second: UInt64

  package init(first: UInt64, second: UInt64) {
    self.first = first
    self.second = second
  }
}

extension DigestKey {
  /// The key for the state of a restore (Protocol.md §11.4).
  package init(viewer: ViewerID, request: UInt64) {
    self.init(first: request, second: viewer.rawValue)
  }
}

/// A keyed digest of a run of packets or of a state (Protocol.md §8.5). Equal input has an equal
/// digest; other input collides only for somebody who guesses the key. It verifies packets that
/// come from other viewers, and restored states.
///
/// It is two polynomials over the integers modulo 2^61 − 1. The first, evaluated at the key's first
/// number, turns each packet into a number. The second, evaluated at the key's second number, turns
/// those numbers into one. Any two different runs that were chosen before the key collide for at
/// most 1,240 of 2^61 keys.
package struct Digest: Equatable, Sendable {
  package let rawValue: UInt64

  /// Nil for a number that is not below the modulus.
  package init?(rawValue: UInt64) {
    guard rawValue < Field.modulus else { return nil }
    self.rawValue = rawValue
  }

  fileprivate init(reduced value: UInt64) { rawValue = value }

  /// Digests a state as two packets: its type, then its octets.
  package init(of content: Content, key: DigestKey) {
    var builder = Builder(key)
    var type = content.type
    type.withUTF8 { builder.add(1, UnsafeRawBufferPointer($0)) }
    content.bytes.withUnsafeBytes { builder.add(2, $0) }
    self = builder.digest
  }
}

extension Digest {
  /// In octets.
  package static let size = 8

  package var encoded: [UInt8] {
    var writer = ByteWriter(capacity: Self.size)
    writer.integer(rawValue)
    return writer.finish()
  }

  /// Reads the digest at the front of a reset by delta.
  package init(leading bytes: [UInt8]) throws(WireError) {
    self = try bytes.span.withUnsafeBytes { raw throws(WireError) in
      var reader = ByteReader(raw)
      return try Digest(from: &reader)
    }
  }

  init(from reader: inout ByteReader) throws(WireError) {
    guard let digest = Digest(rawValue: try reader.integer("digest")) else {
      throw .invalid(field: "digest")
    }
    self = digest
  }
}

extension Digest {
  /// Digests the packets of a run, added one by one in order of their sequence numbers.
  package struct Builder: Sendable {
    /// The key's first number, and its powers.
    private let first: UInt64
    private let firstSquared: UInt64
    private let firstCubed: UInt64
    private let firstToFourth: UInt64
    private let second: UInt64
    private var sum: UInt64 = 0

    package init(_ key: DigestKey) {
      first = key.first & Field.modulus
      firstSquared = Field.multiply(first, first)
      firstCubed = Field.multiply(firstSquared, first)
      firstToFourth = Field.multiply(firstSquared, firstSquared)
      second = key.second & Field.modulus
    }

    /// - Parameter body: everything after the *retained* field: the frames and any padding.
    package mutating func add(_ sequence: SequenceNumber, _ body: UnsafeRawBufferPointer) {
      sum = Field.multiply(sum + number(sequence, body), second)
    }

    package var digest: Digest { Digest(reduced: sum % Field.modulus) }

    /// Starts with 1, so that packets of different lengths give polynomials of different degrees.
    private func number(_ sequence: SequenceNumber, _ body: UnsafeRawBufferPointer) -> UInt64 {
      var value = Field.multiply(1 + (sequence.rawValue >> 32), first)
      value = Field.multiply(value + (sequence.rawValue & 0xffff_ffff), first)
      value = Field.multiply(value + UInt64(body.count), first)
      var offset = 0
      // Four words per turn: the multiplications need not wait for each other, and one reduction
      // serves all four products. Each load reads eight octets and drops the eighth.
      while offset + 29 <= body.count {
        let sum =
          Field.product(value &+ Field.word(body, at: offset), firstToFourth)
          &+ Field.product(Field.word(body, at: offset + 7), firstCubed)
          &+ Field.product(Field.word(body, at: offset + 14), firstSquared)
          &+ Field.product(Field.word(body, at: offset + 21), first)
        value = Field.reduce(sum)
        offset += 28
      }
      while offset < body.count {
        value = Field.multiply(Field.fold(value) &+ Field.lastWord(body, at: offset), first)
        offset += 7
      }
      return Field.fold(value)
    }
  }
}

/// Arithmetic modulo the prime 2^61 − 1. Intermediate results may be slightly larger;
/// `Builder.digest` reduces the last one.
private enum Field {
  static let modulus: UInt64 = (1 << 61) - 1
  private static let wordMask: UInt64 = (1 << 56) - 1

  /// At most 2^61 + 8, for factors below 2^62 + 2^57.
  @inline(__always)
  static func multiply(_ left: UInt64, _ right: UInt64) -> UInt64 { reduce(product(left, right)) }

  @inline(__always)
  static func product(_ left: UInt64, _ right: UInt64) -> UInt128 {
    UInt128(truncatingIfNeeded: left) &* UInt128(truncatingIfNeeded: right)
  }

  /// At most 2^61 + 8, for a number below 2^124 + 2^120.
  @inline(__always)
  static func reduce(_ number: UInt128) -> UInt64 {
    // 2^61 is congruent to 1, so the bits from the 61st on are added to those below.
    fold(
      UInt64(truncatingIfNeeded: number) & modulus &+ UInt64(truncatingIfNeeded: number >> 61))
  }

  @inline(__always)
  static func fold(_ value: UInt64) -> UInt64 { (value & modulus) &+ (value >> 61) }

  /// Seven octets, by a load of eight, so eight must remain.
  @inline(__always)
  static func word(_ body: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
    // Loading through the buffer would check its bounds each time.
    let octets = body.baseAddress.unsafelyUnwrapped.loadUnaligned(
      fromByteOffset: offset, as: UInt64.self)
    return UInt64(littleEndian: octets) & wordMask
  }

  /// The remaining octets, seven at most.
  static func lastWord(_ body: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
    body[offset...].prefix(7).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
