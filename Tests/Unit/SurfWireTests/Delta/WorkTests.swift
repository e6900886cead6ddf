import SurfWire
import TestSupport
import Testing

/// The cost of a delta, counted in words compared and blocks looked up.
@Suite struct WorkTests {
  private static let large = {
    var random = SeededGenerator(seed: 3)
    return random.octets(size)
  }()

  @Test func oneChangeCostsOneComparison() throws {
    var target = Self.large
    target.replaceSubrange(50_001..<50_011, with: Array(repeating: 0, count: 10))
    let (found, stepCount) = compared(Self.large, target)
    #expect(try #require(found).encoded().count < 60)
    #expect(stepCount < size / 8 + 1_000)
  }

  @Test func scatteredReplacementsCostOneComparisonAndNoIndex() throws {
    var random = SeededGenerator(seed: 4)
    var target = Self.large
    for _ in 0..<100 {
      let place = Int.random(in: 0..<(size - 5), using: &random)
      target.replaceSubrange(place..<(place + 5), with: random.octets(5))
    }
    let (found, stepCount) = compared(Self.large, target)
    #expect(try #require(found).encoded().count < 100 * 11)
    // An index alone would be half as much again.
    #expect(stepCount < size / 8 * 9 / 8)
  }

  @Test func scatteredInsertionsCostOneComparisonAndNoIndex() throws {
    var random = SeededGenerator(seed: 5)
    var target = Self.large
    for _ in 0..<5 {
      target.insert(
        contentsOf: random.octets(40), at: Int.random(in: 0..<size, using: &random))
    }
    let (found, stepCount) = compared(Self.large, target)
    #expect(try #require(found).encoded().count < 5 * 60)
    #expect(stepCount < size / 8 * 3 / 2)
  }

  @Test func theUnrelatedIsGivenUpEarly() {
    var random = SeededGenerator(seed: 6)
    let (found, stepCount) = compared(Self.large, random.octets(size), sizeMax: 2_000)
    #expect(found == nil)
    #expect(stepCount < 15_000)
  }

  @Test func theUnrelatedIsNotLookedUpOctetByOctet() {
    var random = SeededGenerator(seed: 7)
    #expect(compared(Self.large, random.octets(size)).stepCount < size / 3)
  }

  @Test(arguments: WorstCase.allCases) func theWorstIsBounded(worst: WorstCase) throws {
    let (base, target) = worst.pair(Self.large)
    let (found, stepCount) = compared(base, target)
    let comesBack = try isExact(try #require(found), base, target)
    #expect(comesBack)
    // What is free, and what each octet may cost at most.
    #expect(stepCount < 1 << 20 + 12 * (base.count + target.count))
  }

  /// Octets that tempt a search to look everywhere.
  enum WorstCase: CaseIterable {
    case shiftedZeros, sparseZeros, randomBits, shuffledBlocks, equalBlocks, periods, everyTwelfth

    func pair(_ large: [UInt8]) -> (base: [UInt8], target: [UInt8]) {
      var random = SeededGenerator(seed: 8)
      switch self {
      case .shiftedZeros:
        let zeros = Array(repeating: 0 as UInt8, count: size)
        return ([1] + zeros + [2], [3, 4, 5] + zeros + zeros[..<777] + [6])
      case .sparseZeros: return (sparse(1, 37, &random), sparse(2, 41, &random))
      case .randomBits: return (bits(&random), bits(&random))
      case .shuffledBlocks:
        let order = (0..<(size / 16)).shuffled(using: &random)
        return (large, order.flatMap { large[($0 * 16)..<($0 * 16 + 16)] })
      case .equalBlocks:
        let equal = Array(repeating: 7 as UInt8, count: 16)
        let base = (0..<(size / 32)).flatMap { _ in equal + random.octets(16) }
        return (base, (0..<(size / 32)).flatMap { _ in equal + random.octets(16) })
      case .periods:
        let first = (0..<size).map { ($0 % 18 == 0 ? 1 : 0) as UInt8 }
        return (first, (0..<size).map { ($0 % 17 == 0 ? 3 : 0) as UInt8 })
      case .everyTwelfth:
        var target = large
        for index in stride(from: 0, to: size, by: 12) { target[index] ^= 1 }
        return (large, target)
      }
    }

    private func bits(_ random: inout SeededGenerator) -> [UInt8] {
      (0..<size).map { _ in UInt8(random.next() & 1) }
    }

    private func sparse(_ octet: UInt8, _ distance: Int, _ random: inout SeededGenerator) -> [UInt8]
    {
      var octets = Array(repeating: 0 as UInt8, count: size)
      for _ in 0..<(size / distance) {
        octets[Int.random(in: 0..<size, using: &random)] = octet
      }
      return octets
    }
  }
}

private let size = 1 << 17
