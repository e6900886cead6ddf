extension Delta {
  /// Computes the delta from one run of octets to another; nil if its operations need more than
  /// `sizeMax` octets.
  ///
  /// For nearly equal octets the cost is one comparison. For octets with little in common it is a
  /// small multiple of that, and memory in proportion to the base.
  ///
  /// - Parameter baseRecord: the record that carries the base.
  package static func between(
    _ base: [UInt8], _ target: [UInt8], baseRecord: SequenceNumber, sizeMax: Int
  ) -> Delta? {
    var stepCount = 0
    return between(
      base, target, baseRecord: baseRecord, sizeMax: sizeMax, countingSteps: &stepCount)
  }

  /// The same, and adds the cost to `stepCount`: words compared and blocks looked up.
  package static func between(
    _ base: [UInt8], _ target: [UInt8], baseRecord: SequenceNumber, sizeMax: Int,
    countingSteps stepCount: inout Int
  ) -> Delta? {
    guard base.count <= UInt32.max, target.count <= UInt32.max, sizeMax >= 0 else { return nil }
    // Caps `sizeMax` so that no sum overflows. Operations never need more. Copying one run of the
    // base and inserting the octets before it takes at most 15 octets, and a run has at least four.
    let operationsSizeMax = min(sizeMax, 4 * (base.count + target.count) + 64)
    guard
      let operations = operations(
        from: base, to: target, sizeMax: operationsSizeMax, countingSteps: &stepCount)
    else { return nil }
    return Delta(
      unchecked: operations, base: baseRecord, baseSize: base.count, targetSize: target.count)
  }

  private static func operations(
    from base: [UInt8], to target: [UInt8], sizeMax: Int, countingSteps stepCount: inout Int
  ) -> [UInt8]? {
    base.withUnsafeBytes { base in
      target.withUnsafeBytes { target in
        // An empty array may have no address.
        guard let baseStart = base.baseAddress, let targetStart = target.baseAddress else {
          return Matcher.insertion(of: target, sizeMax: sizeMax)
        }
        var matcher = Matcher(
          Octets(start: baseStart, count: base.count),
          Octets(start: targetStart, count: target.count), sizeMax: sizeMax)
        defer { stepCount += matcher.stepCount }
        return matcher.operations()
      }
    }
  }
}

/// An index of blocks of the base by their content, for `Matcher`.
///
/// It contains one block in every `stride` octets. So it finds every common run of at least
/// `stride + blockSize` octets, and its memory stays in proportion to a large base.
struct BlockIndex {
  static let blockSize = 16
  /// How many blocks with the same hash to look at. Repeated content can be copied from anywhere,
  /// so looking further would not pay.
  static let candidateCountMax = 8
  private static let blockCountMax = 1 << 18

  /// For each hash, its first block plus one; for each block, the next one with its hash plus one.
  private var first: [UInt32]
  private var next: [UInt32]
  private let stride: Int
  private let shift: UInt64

  /// Octets from one indexed block to the next.
  static func stride(for base: Octets) -> Int {
    var stride = blockSize
    while base.count / stride > blockCountMax { stride *= 2 }
    return stride
  }

  init(_ base: Octets) {
    let stride = Self.stride(for: base)
    let count = base.count < Self.blockSize ? 0 : (base.count - Self.blockSize) / stride + 1
    var bits: UInt64 = 4
    while 1 << bits < count { bits += 1 }
    self.stride = stride
    shift = 64 - bits
    first = Array(repeating: 0, count: 1 << Int(bits))
    next = Array(repeating: 0, count: count)
    // Backwards, so that a lookup finds the first of equal blocks first: it has the most octets
    // after it.
    for block in (0..<count).reversed() {
      let hash = hash(base, block * stride)
      next[block] = first[hash]
      first[hash] = UInt32(block + 1)
    }
  }

  /// How many blocks are indexed: the cost of making the index.
  var blockCount: Int { next.count }

  /// Offsets in the base that may have the same block as the target at `offset`.
  func candidates(for target: Octets, at offset: Int) -> Candidates {
    Candidates(index: self, block: first[hash(target, offset)])
  }

  struct Candidates: Sequence, IteratorProtocol {
    fileprivate let index: BlockIndex
    fileprivate var block: UInt32
    fileprivate var count = 0

    mutating func next() -> Int? {
      guard block > 0, count < BlockIndex.candidateCountMax else { return nil }
      defer { block = index.next[Int(block - 1)] }
      count += 1
      return Int(block - 1) * index.stride
    }
  }

  private func hash(_ octets: Octets, _ offset: Int) -> Int {
    // Odd factors with well-mixed bits: the high bits of each product depend on the whole word.
    let low = octets.word(at: offset) &* 0x9E37_79B9_7F4A_7C15
    let high = octets.word(at: offset + 8) &* 0xC2B2_AE3D_27D4_EB4F
    let mixed = ((low ^ (low >> 29)) &+ high) &* 0x1656_67B1_9E37_79F9
    return Int(truncatingIfNeeded: mixed >> shift)
  }
}
