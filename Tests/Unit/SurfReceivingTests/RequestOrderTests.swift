import Testing

@Suite struct RequestOrderTests {
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `an app decides on what one viewer asks in the order in which it was asked`(seed: UInt64) {
    var pair = LossyPair(seed: seed)
    pair.ask(12, seed: ~seed)
    #expect(pair.decided == pair.asked)
  }
}
