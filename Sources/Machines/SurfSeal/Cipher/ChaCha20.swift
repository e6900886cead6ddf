/// ChaCha20 (RFC 8439 §2.4) under one key.
///
/// Additions, exclusive ors and rotations by constants alone: nothing that takes a time of its own
/// for a key. Words are little-endian in memory, as those of every machine that Swift runs on.
package struct ChaCha20: Secret, Sendable {
  private let key: (SIMD4<UInt32>, SIMD4<UInt32>)

  package init(_ key: Octets32) {
    var words = key.words
    for index in words.indices { words[index] = words[index].byteSwapped }
    self.key = (words.lowHalf, words.highHalf)
  }

  package static let blockSize = 64

  /// The first half of block 0, which is the key of the tag (RFC 8439 §2.6).
  func tagKey(_ nonce: SealNonce) -> SIMD4<UInt64> {
    let block = Rows(key: key, last: nonce.row).keyStream
    return unsafeBitCast(SIMD8(lowHalf: block.a, highHalf: block.b), to: SIMD4<UInt64>.self)
  }

  /// Encrypts or decrypts, which is the same; `output` may be `input`.
  ///
  /// - Parameter counter: the number of the first block.
  /// - Precondition: `output` is at least as large as `input`, and the counter does not run over.
  package func apply(
    to input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer,
    nonce: SealNonce, from counter: UInt32 = 1
  ) {
    precondition(output.count >= input.count, "text is never larger than its room")
    guard var source = input.baseAddress,
      var target = output.baseAddress
    else { return }
    var rest = input.count
    var last = nonce.row
    last[0] = counter
    while rest >= 4 * Self.blockSize {
      let blocks = Four(key: key, last: last)
      blocks.apply(source, target)
      last[0] &+= 4
      (source, target) = (source + 4 * Self.blockSize, target + 4 * Self.blockSize)
      rest -= 4 * Self.blockSize
    }
    while rest > 0 {
      let block = Rows(key: key, last: last).keyStream
      let size = min(rest, Self.blockSize)
      if size == Self.blockSize {
        block.apply(source, target)
      } else {
        block.apply(source, target, count: size)
      }
      last[0] &+= 1
      (source, target) = (source + size, target + size)
      rest -= size
    }
  }
}

/// The four rows of one block (RFC 8439 §2.3).
private struct Rows {
  var a = SIMD4<UInt32>(0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574)
  var b: SIMD4<UInt32>
  var c: SIMD4<UInt32>
  var d: SIMD4<UInt32>

  @inline(__always)
  init(key: (SIMD4<UInt32>, SIMD4<UInt32>), last: SIMD4<UInt32>) {
    (b, c) = key
    d = last
  }

  @inline(__always)
  mutating func doubleRound() {
    quarterRounds()
    turn()
    quarterRounds()
    turnBack()
  }

  @inline(__always)
  private mutating func quarterRounds() {
    a &+= b
    d = rotated(d ^ a, 16)
    c &+= d
    b = rotated(b ^ c, 12)
    a &+= b
    d = rotated(d ^ a, 8)
    c &+= d
    b = rotated(b ^ c, 7)
  }

  /// Makes columns of the diagonals.
  @inline(__always)
  private mutating func turn() {
    b = SIMD4(b[1], b[2], b[3], b[0])
    c = SIMD4(c[2], c[3], c[0], c[1])
    d = SIMD4(d[3], d[0], d[1], d[2])
  }

  @inline(__always)
  private mutating func turnBack() {
    b = SIMD4(b[3], b[0], b[1], b[2])
    c = SIMD4(c[2], c[3], c[0], c[1])
    d = SIMD4(d[1], d[2], d[3], d[0])
  }

  @inline(__always)
  private func rotated(_ row: SIMD4<UInt32>, _ count: UInt32) -> SIMD4<UInt32> {
    row &<< SIMD4(repeating: count) | row &>> SIMD4(repeating: 32 &- count)
  }

  @inline(__always)
  mutating func add(_ other: Rows) {
    a &+= other.a
    b &+= other.b
    c &+= other.c
    d &+= other.d
  }

  var keyStream: Rows {
    var rows = self
    for _ in 0..<10 { rows.doubleRound() }
    rows.add(self)
    return rows
  }

  @inline(__always)
  func apply(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer) {
    apply(a, source, target, 0)
    apply(b, source, target, 16)
    apply(c, source, target, 32)
    apply(d, source, target, 48)
  }

  @inline(__always)
  private func apply(
    _ row: SIMD4<UInt32>, _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer,
    _ offset: Int
  ) {
    let text = source.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt32>.self)
    target.storeBytes(of: text ^ row, toByteOffset: offset, as: SIMD4<UInt32>.self)
  }

  /// The front of the block alone.
  func apply(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, count: Int) {
    withUnsafeBytes(of: self) { stream in
      for index in 0..<count {
        let octet = source.load(fromByteOffset: index, as: UInt8.self) ^ stream[index]
        target.storeBytes(of: octet, toByteOffset: index, as: UInt8.self)
      }
    }
  }
}

/// Four blocks in a row, side by side: each gives the processor something to do while another waits
/// for its own results.
private struct Four {
  var first: Rows
  var second: Rows
  var third: Rows
  var fourth: Rows

  @inline(__always)
  init(key: (SIMD4<UInt32>, SIMD4<UInt32>), last: SIMD4<UInt32>) {
    let one = SIMD4<UInt32>(1, 0, 0, 0)
    let starts = (last, last &+ one, last &+ one &+ one, last &+ one &+ one &+ one)
    first = Rows(key: key, last: starts.0)
    second = Rows(key: key, last: starts.1)
    third = Rows(key: key, last: starts.2)
    fourth = Rows(key: key, last: starts.3)
    let start = self
    for _ in 0..<10 {
      first.doubleRound()
      second.doubleRound()
      third.doubleRound()
      fourth.doubleRound()
    }
    first.add(start.first)
    second.add(start.second)
    third.add(start.third)
    fourth.add(start.fourth)
  }

  @inline(__always)
  func apply(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer) {
    first.apply(source, target)
    second.apply(source + 64, target + 64)
    third.apply(source + 128, target + 128)
    fourth.apply(source + 192, target + 192)
  }
}
