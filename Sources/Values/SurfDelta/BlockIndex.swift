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
