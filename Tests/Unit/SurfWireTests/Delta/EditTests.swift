import SurfWire
import TestSupport
import Testing

/// One edit, and the octets that its delta may have.
struct Edit: Sendable, CustomTestStringConvertible {
  let name: String
  let sizeMax: Int
  let base: [UInt8]
  let target: [UInt8]

  var testDescription: String { name }

  init(_ name: String, sizeMax: Int, _ base: [UInt8], _ change: (inout [UInt8]) -> Void) {
    self.name = name
    self.sizeMax = sizeMax
    self.base = base
    var target = base
    change(&target)
    self.target = target
  }

  private static let large = {
    var random = SeededGenerator(seed: 1)
    return random.octets(1 << 18)
  }()
  private static let new = Array(repeating: 0x2A as UInt8, count: 40)
  private static let todo = list(0..<300)

  static let all = [
    Edit("nothing at all", sizeMax: 16, []) { _ in },
    Edit("nothing", sizeMax: 20, large) { _ in },
    Edit("from nothing", sizeMax: 22, []) { $0 = [1, 2, 3, 4, 5] },
    Edit("to nothing", sizeMax: 16, large) { $0 = [] },
    Edit("one octet", sizeMax: 26, large) { $0[125_000] ^= 1 },
    Edit("the first octet", sizeMax: 26, large) { $0[0] ^= 1 },
    Edit("the last octet", sizeMax: 26, large) { $0[$0.count - 1] ^= 1 },
    Edit("ten octets", sizeMax: 59, large) {
      $0.replaceSubrange(70_001..<70_011, with: new[..<10])
    },
    Edit("an insertion", sizeMax: 70, large) { $0.insert(contentsOf: new, at: 123_457) },
    Edit("an insertion at the front", sizeMax: 70, large) { $0.insert(contentsOf: new, at: 0) },
    Edit("an insertion at the end", sizeMax: 70, large) { $0 += new },
    Edit("a deletion", sizeMax: 30, large) { $0.removeSubrange(123_457..<124_000) },
    Edit("a longer word", sizeMax: 75, large) { $0.replaceSubrange(99_999..<100_004, with: new) },
    Edit("several edits", sizeMax: 180, large) {
      $0.insert(contentsOf: new, at: 225_001)
      $0.removeSubrange(175_003..<175_044)
      $0.replaceSubrange(125_005..<125_015, with: new[..<10])
      $0.insert(contentsOf: new[..<7], at: 75_007)
      $0.removeSubrange(25_009..<25_109)
    },
    Edit("a block moved to the back", sizeMax: 60, large) {
      let block = $0[50_001..<62_501]
      $0.removeSubrange(50_001..<62_501)
      $0.insert(contentsOf: block, at: 200_003)
    },
    Edit("two halves swapped", sizeMax: 40, large) { $0 = Array($0[125_001...] + $0[..<125_001]) },
    Edit("a block twice", sizeMax: 60, large) {
      $0.insert(contentsOf: $0[75_001..<100_001], at: 175_003)
    },
    Edit("an item toggled", sizeMax: 40, todo) { $0 = list(0..<300, done: [150]) },
    Edit("three items toggled", sizeMax: 80, todo) { $0 = list(0..<300, done: [3, 150, 299]) },
    Edit("an item deleted", sizeMax: 40, todo) { $0 = list((0..<300).filter { $0 != 150 }) },
    Edit("an item inserted", sizeMax: 150, todo) { $0 = list([0, 1, 2, 1_234] + (3..<300)) },
    Edit("one toggled, one deleted, one inserted", sizeMax: 250, todo) {
      $0 = list([0, 1, 2, 1_234] + Array(3..<250) + Array(251..<300), done: [125])
    },
    Edit("an item moved", sizeMax: 150, todo) {
      $0 = list(Array(0..<100) + Array(101..<250) + [100] + Array(250..<300))
    },
    Edit("the order reversed", sizeMax: 18_000, todo) { $0 = list((0..<300).reversed()) },
    Edit("every point moved", sizeMax: 560, points(after: 0)) { $0 = points(after: 5) },
    Edit("every item toggled", sizeMax: 5_000, todo) { $0 = list(0..<300, done: Set(0..<300)) },
  ]
}

@Suite struct EditTests {
  @Test(arguments: Edit.all) func anEditCostsLittleAndComesBack(edit: Edit) throws {
    let delta = try #require(compared(edit.base, edit.target).delta)
    let comesBack = try isExact(delta, edit.base, edit.target)
    #expect(comesBack)
    #expect(delta.encoded().count <= edit.sizeMax)
  }

  /// The target, rebuilt from the base and the edits.
  private func target(of edit: Edit, _ edits: [Delta.Edit]) -> [UInt8] {
    var octets = edit.base
    for (old, new) in edits.reversed() { octets.replaceSubrange(old, with: edit.target[new]) }
    return octets
  }

  @Test(arguments: Edit.all) func `edits are all in which the target differs`(edit: Edit) throws {
    let edits = try #require(compared(edit.base, edit.target).delta).edits
    guard let edits else { return }
    let isTarget = target(of: edit, edits) == edit.target
    let isOrdered = zip(edits, edits.dropFirst()).allSatisfy {
      $0.old.upperBound < $1.old.lowerBound
    }
    #expect(isTarget && isOrdered)
  }

  @Test(arguments: [
    "nothing", "one octet", "ten octets", "an insertion", "a deletion", "several edits",
    "three items toggled", "a longer word", "every point moved",
  ])
  func `what moves nothing has edits`(name: String) throws {
    let edit = try #require(Edit.all.first { $0.name == name })
    #expect(try #require(compared(edit.base, edit.target).delta).edits != nil)
  }

  @Test(arguments: [0, 1, 300, 250_000])
  func `that nothing differs is told without a comparison`(size: Int) {
    let bytes = [UInt8](repeating: 7, count: size)
    let compared = Delta.between(bytes, bytes, baseRecord: 5, sizeMax: 10)
    #expect(Delta(unchanged: size, base: 5) == compared)
  }

  @Test func `what moves octets past others has none`() throws {
    let edit = try #require(Edit.all.first { $0.name == "two halves swapped" })
    #expect(try #require(compared(edit.base, edit.target).delta).edits == nil)
  }

  @Test(arguments: Edit.all) func anEditIsGivenUpJustBelowItsSize(edit: Edit) throws {
    let size = try #require(compared(edit.base, edit.target).delta).operations.count
    #expect(compared(edit.base, edit.target, sizeMax: size).delta != nil)
    #expect(compared(edit.base, edit.target, sizeMax: size - 1).delta == nil)
  }

  @Test func aReplacementKeepsTheMemory() throws {
    let edit = try #require(Edit.all.first { $0.name == "ten octets" })
    let delta = try #require(compared(edit.base, edit.target).delta)
    var state = edit.base
    state[0] ^= 1
    state[0] ^= 1
    let before = state.withUnsafeBytes { $0.baseAddress }
    try delta.apply(inPlace: &state)
    let after = state.withUnsafeBytes { $0.baseAddress }
    #expect(before == after)
    let isTarget = state == edit.target
    #expect(isTarget)
  }

  @Test func aWrongBaseChangesNothing() throws {
    let delta = try #require(compared([1, 2, 3], [1, 2, 4]).delta)
    var state: [UInt8] = [1, 2, 3, 4]
    #expect(throws: DeltaError.wrongBase(size: 4, expected: 3)) {
      try delta.apply(inPlace: &state)
    }
    #expect(throws: DeltaError.wrongBase(size: 4, expected: 3)) {
      try delta.apply(to: state)
    }
    #expect(state == [1, 2, 3, 4])
  }
}
