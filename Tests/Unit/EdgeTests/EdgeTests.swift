import Foundation
import SurfWire
import Testing

/// Sequences of messages to every reader, with numbers that no sender uses. Nothing may trap,
/// whatever the order of messages, and nothing may grow.
///
/// A trap ends the process: the last seed on standard error is the one to look at. With
/// STATESURF_LONG=1 there are ten million messages; STATESURF_SEED begins elsewhere.
@Suite(.serialized) struct EdgeTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let isLong = environment["STATESURF_LONG"] == "1"
  private static let firstSeed = environment["STATESURF_SEED"].flatMap { UInt64($0) } ?? 1
  #if DEBUG
    private static let shortCount = 15_000
  #else
    private static let shortCount = 60_000
  #endif
  private static let count = isLong ? 10_000_000 : shortCount
  /// Messages to one world: who was led astray for good notices little of what comes after.
  private static let worldCount = 500

  /// In one world, so that what is kept of a message stays kept; and in a process of its own, as
  /// other tests take memory at the same time.
  @Test func `what strangers name takes no more and more memory`() async {
    await #expect(processExitsWith: .success) {
      var world = World(seed: EdgeTests.firstSeed, turnsPerLook: 64)
      let count = EdgeTests.count / 10
      while world.messageCount < count / 2 { world.step() }
      let before = EdgeTests.residentPages
      while world.messageCount < count { world.step() }
      // A page has 4 KiB: 64 MiB.
      #expect(EdgeTests.residentPages - before < 16_384)
    }
  }

  private static var residentPages: Int {
    let words = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(
      separator: " ")
    return words.flatMap { Int($0[1]) } ?? 0
  }

  @Test func `no sequence of messages ends a machine`() {
    var done = 0
    var seed = Self.firstSeed
    var told = 0
    let began = ContinuousClock.now
    while done < Self.count {
      if Self.isLong || Self.environment["STATESURF_SEED"] != nil {
        FileHandle.standardError.write(Data("edges: seed \(seed) after \(done)\n".utf8))
      }
      var world = World(seed: seed)
      while world.messageCount < Self.worldCount { world.step() }
      done += world.messageCount
      told += world.counters.recordsLost > 0 ? 1 : 0
      seed += 1
    }
    // The strangers are believed: what they say is lost counts as lost.
    #expect(told > 0)
    if Self.isLong { print("edges: \(done) messages in \(ContinuousClock.now - began)") }
  }
}
