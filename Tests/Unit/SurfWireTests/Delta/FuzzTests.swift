import SurfWire
import TestSupport
import Testing

@Suite struct FuzzTests {
  @Test(arguments: 0..<30) func randomEditsComeBack(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<15 {
      let base = sample(&random)
      var target = base
      for _ in 0..<Int.random(in: 0...8, using: &random) { edit(&target, &random) }
      let delta = try #require(compared(base, target).delta)
      #expect(try isExact(delta, base, target))
      // An insertion of everything is always possible.
      #expect(delta.encoded().count <= max(target.count + target.count / 8, 64) + 32)
    }
  }

  @Test(arguments: 0..<20) func mutatedDeltasNeverTrapNorOutgrowTheLimit(seed: UInt64) throws {
    var random = SeededGenerator(seed: 1_000 + seed)
    var decodedCount = 0
    for _ in 0..<20 {
      let base = sample(&random)
      var target = base
      for _ in 0..<4 { edit(&target, &random) }
      let bytes = try #require(compared(base, target).delta).encoded()
      for _ in 0..<25 {
        var mutated = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let index = Int.random(in: mutated.indices, using: &random)
          mutated[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
        }
        decodedCount += try check(mutated, base) ? 1 : 0
      }
    }
    #expect(decodedCount > 10)
  }

  @Test func randomOperationsNeverTrapNorOutgrowTheLimit() throws {
    var random = SeededGenerator(seed: 7)
    var decodedCount = 0
    for _ in 0..<30_000 {
      // Small sizes and numbers pass more checks than large ones.
      let high = UInt8.random(in: 4...255, using: &random)
      let operations = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        UInt8.random(in: 0...high, using: &random)
      }
      let sizes = (0..<2).map { _ in UInt8.random(in: 0...20, using: &random) }
      let header: [UInt8] = [1, sizes[0], sizes[1]]
      let base = Array(repeating: 7 as UInt8, count: Int(sizes[0]))
      decodedCount += try check(header + operations, base) ? 1 : 0
    }
    #expect(decodedCount > 300)
  }

  /// - Returns: whether the bytes decode.
  private func check(_ bytes: [UInt8], _ base: [UInt8]) throws -> Bool {
    let sizeMax = 20_000
    guard let delta = try? Delta(decoding: bytes, sizeMax: sizeMax) else { return false }
    var state = base
    guard let made = try? delta.apply(to: base) else {
      #expect(throws: DeltaError.self) { try delta.apply(inPlace: &state) }
      let isUntouched = state == base
      #expect(isUntouched)
      return true
    }
    try delta.apply(inPlace: &state)
    let isSame = state == made
    #expect(isSame)
    #expect(made.count == delta.targetSize)
    #expect(made.count <= sizeMax)
    return true
  }

  /// Text, noise, or repetition.
  private func sample(_ random: inout SeededGenerator) -> [UInt8] {
    let count = Int.random(in: 0...(Bool.random(using: &random) ? 6_000 : 60), using: &random)
    switch Int.random(in: 0...2, using: &random) {
    case 0: return random.octets(count)
    case 1: return (0..<count).map { _ in UInt8.random(in: 0...1, using: &random) }
    default: return Array(list(0..<(count / 60)).prefix(count))
    }
  }

  private func edit(_ target: inout [UInt8], _ random: inout SeededGenerator) {
    func place() -> Int { Int.random(in: 0...target.count, using: &random) }
    let (first, second) = (place(), place())
    let range = min(first, second)..<min(max(first, second), min(first, second) + 300)
    switch Int.random(in: 0...4, using: &random) {
    case 0: target.removeSubrange(range)
    case 1: target.insert(contentsOf: random.octets(range.count), at: first)
    case 2: target.replaceSubrange(range, with: random.octets(range.count))
    case 3: target.insert(contentsOf: Array(target[range]), at: first)
    default: target.replaceSubrange(range, with: random.octets(range.count / 2))
    }
  }
}
