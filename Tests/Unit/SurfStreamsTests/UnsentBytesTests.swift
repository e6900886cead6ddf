import SurfSockets
import SurfStreams
import Testing

@Suite struct UnsentBytesTests {
  private func front(_ unsent: UnsentBytes) throws -> [UInt8] {
    try unsent.withFront { bytes throws(SocketError) in Array(bytes) }
  }

  @Test func isEmptyAtFirst() throws {
    var unsent = UnsentBytes()
    unsent.append([])
    #expect(unsent.isEmpty)
    #expect(try front(unsent) == [])
    unsent.drop(1)
    #expect(unsent.count == 0)
  }

  @Test func smallWritesAreGatheredAndLargeOnesAreNotCopied() throws {
    var unsent = UnsentBytes()
    for byte in UInt8(0)..<10 { unsent.append([byte]) }
    #expect(try front(unsent) == Array(0..<10))
    unsent.append([UInt8](repeating: 1, count: UnsentBytes.chunkSize))
    #expect(try front(unsent).count == 10)
    #expect(unsent.count == 10 + UnsentBytes.chunkSize)
  }

  @Test func dropsNoMoreThanWasShown() throws {
    var unsent = UnsentBytes()
    unsent.append([1, 2, 3])
    unsent.drop(4)
    #expect(try front(unsent) == [1, 2, 3])
    unsent.drop(2)
    #expect(try front(unsent) == [3])
  }

  @Test(arguments: UInt64(1)...20)
  func whatGoesInComesOutInOrder(_ seed: UInt64) throws {
    var random = seed
    func next(_ bound: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(random >> 33) % bound
    }
    var unsent = UnsentBytes()
    var written: [UInt8] = []
    var seen: [UInt8] = []
    for _ in 0..<400 {
      if next(2) == 0, written.count < 2_000_000 {
        let bytes = pattern(next(4) == 0 ? next(100_000) : next(300), from: written.count)
        unsent.append(bytes)
        written += bytes
      } else {
        let shown = try front(unsent)
        let taken = shown.isEmpty ? 0 : next(shown.count + 1)
        seen += shown[..<taken]
        unsent.drop(taken)
      }
      #expect(unsent.count == written.count - seen.count)
    }
    while !unsent.isEmpty {
      let shown = try front(unsent)
      seen += shown
      unsent.drop(shown.count)
    }
    let isSame = seen == written
    #expect(isSame)
  }
}
