import Foundation
import SurfReceiving
import SurfTimeline
import SurfTransport
import SurfWire
import TestSupport
import Testing

private let isLong = ProcessInfo.processInfo.environment["STATESURF_LONG"] == "1"

@Suite struct ValueTests {
  @Test(arguments: UInt64(0)..<(isLong ? 2_000 : 40))
  func `a late viewer knows the live values, whatever is lost`(seed: UInt64) throws {
    var world = ValueWorld(seed: seed)
    try world.run(for: .milliseconds(400), isViewed: false)
    try world.run(for: .milliseconds(600), isViewed: true)
    try world.settle()
    #expect(world.mistakes.isEmpty, "seed \(seed)")
    #expect(world.board.leftOut == 0)
  }

  @Test(arguments: UInt64(0)..<(isLong ? 1_000 : 30))
  func `so does one that hears nothing for a while`(seed: UInt64) throws {
    var world = ValueWorld(seed: seed)
    try world.run(for: .milliseconds(100), isViewed: true)
    world.isDeaf = true
    // Up to an expiry: 12.6 s.
    try world.run(for: .milliseconds(Int(seed % 5) * 3_500 + 20), isViewed: true)
    world.isDeaf = false
    try world.run(for: .milliseconds(100), isViewed: true)
    try world.settle()
    #expect(world.mistakes.isEmpty, "seed \(seed)")
  }

  @Test func `ten thousand values of long ago are known within a second`() throws {
    var world = ValueWorld(seed: 1, loss: 0.05)
    for number in 0..<10_000 { world.tell("value \(number)", size: 40) }
    try world.run(for: .milliseconds(500), isViewed: false, tellsMore: false)
    for number in 0..<(isLong ? 100_000 : 10_000) { world.act(number) }
    try world.run(for: .seconds(3_600), isViewed: false, tellsMore: false)
    let start = world.now
    try world.run(for: .seconds(1), isViewed: true, tellsMore: false) { $0.board.isComplete }
    #expect(world.now - start < .seconds(1))
    #expect(world.board.records.count == 10_000)
    #expect(world.mistakes.isEmpty)
  }

  @Test func `beyond its room an app leaves out what was told longest ago, and says so`() throws {
    var world = ValueWorld(seed: 1, loss: 0)
    for number in 0..<20 { world.tell("large \(number)", size: 1_048_576) }
    world.tell("too large", size: Limits.valueTableSizeMax)
    try world.run(for: .seconds(10), isViewed: false, tellsMore: false)
    try world.run(for: .seconds(10), isViewed: true, tellsMore: false)
    #expect(world.board.leftOut == 6)
    #expect(Set(world.board.records.map(\.name)) == Set((5..<20).map { "large \($0)" }))
  }

  @Test func `an app without values is asked for none, and a viewer knows that at once`() throws {
    var world = ValueWorld(seed: 1, loss: 0)
    for number in 0..<5 { world.act(number) }
    try world.run(for: .milliseconds(100), isViewed: true, tellsMore: false)
    #expect(world.board.isComplete)
    #expect(world.board.records.isEmpty)
    #expect(world.requestCount == 0)
  }

  @Test func `a name that is told over and over takes the room of one`() throws {
    var world = ValueWorld(seed: 1, loss: 0)
    for _ in 0..<(isLong ? 1_000_000 : 100_000) { world.tell("speed", size: 4) }
    try world.run(for: .seconds(40), isViewed: false, tellsMore: false)
    try world.run(for: .seconds(1), isViewed: true, tellsMore: false)
    #expect(world.board.records.count == 1)
    #expect(world.mistakes.isEmpty)
  }
}
