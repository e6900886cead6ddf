extension Delta {
  /// The delta that makes the target of the base; nil as soon as its operations would have more
  /// than `sizeMax` octets.
  ///
  /// Nearly equal octets cost a comparison of them all; octets with little in common a small
  /// multiple, and memory in proportion to the base.
  ///
  /// - Parameter baseRecord: the record that carries the base.
  package static func between(
    _ base: [UInt8], _ target: [UInt8], baseRecord: UInt64, sizeMax: Int
  ) -> Delta? {
    var stepCount = 0
    return between(
      base, target, baseRecord: baseRecord, sizeMax: sizeMax, countingSteps: &stepCount)
  }

  /// The same, and adds its cost: words compared, and blocks looked up.
  package static func between(
    _ base: [UInt8], _ target: [UInt8], baseRecord: UInt64, sizeMax: Int,
    countingSteps stepCount: inout Int
  ) -> Delta? {
    guard base.count <= UInt32.max, target.count <= UInt32.max, sizeMax >= 0 else { return nil }
    // Operations are never longer: to copy one run of the base, and to insert the octets before it,
    // takes 15 octets at most, and a run has four at least. So no sum overflows.
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

/// Where in the base some of its blocks begin, by their content.
///
/// One block in each `stride` octets is known: a common run of `stride + blockSize` octets or more
/// is surely found, and memory and time stay in proportion to a large base.
struct BlockIndex {
  static let blockSize = 16
  /// The most blocks of one hash to look at: repetition is cheap to copy from anywhere, and must
  /// not cost more than it is worth.
  static let candidateCountMax = 8
  private static let blockCountMax = 1 << 18

  /// For each hash the first block plus one, and for each block the next one of its hash plus one.
  private var first: [UInt32]
  private var next: [UInt32]
  private let stride: Int
  private let shift: UInt64

  /// Octets from one known block to the next.
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
    // Backwards, so that the first of equal blocks is looked at first: it has most behind it.
    for block in (0..<count).reversed() {
      let hash = hash(base, block * stride)
      next[block] = first[hash]
      first[hash] = UInt32(block + 1)
    }
  }

  /// How many blocks are known: the cost of making the index.
  var blockCount: Int { next.count }

  /// Offsets of the base at which the block at an offset of the target may be found.
  func candidates(for target: Octets, at offset: Int) -> Candidates {
    Candidates(index: self, block: first[hash(target, offset)])
  }

  struct Candidates: Sequence, IteratorProtocol {
    fileprivate let index: BlockIndex
    fileprivate var block: UInt32
    private var count = 0

    fileprivate init(index: BlockIndex, block: UInt32) {
      self.index = index
      self.block = block
    }

    mutating func next() -> Int? {
      guard block > 0, count < BlockIndex.candidateCountMax else { return nil }
      defer { block = index.next[Int(block - 1)] }
      count += 1
      return Int(block - 1) * index.stride
    }
  }

  private func hash(_ octets: Octets, _ offset: Int) -> Int {
    // Odd numbers with well-mixed bits; the high bits of the products depend on all of the word.
    let low = octets.word(at: offset) &* 0x9E37_79B9_7F4A_7C15
    let high = octets.word(at: offset + 8) &* 0xC2B2_AE3D_27D4_EB4F
    let mixed = ((low ^ (low >> 29)) &+ high) &* 0x1656_67B1_9E37_79F9
    return Int(truncatingIfNeeded: mixed >> shift)
  }
}
