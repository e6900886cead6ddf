import Foundation
import Testing

/// Sequences of bytes on the gateway's streams, in both directions of dialling: nothing may trap, no
/// length that somebody claims may cost memory, and nothing may grow.
///
/// As with the datagrams, the last seed on standard error is the one to look at.
@Suite(.serialized) struct GateTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let isLong = environment["STATESURF_LONG"] == "1"
  private static let firstSeed = environment["STATESURF_SEED"].flatMap { UInt64($0) } ?? 1
  #if DEBUG
    private static let shortCount = 10_000
  #else
    private static let shortCount = 100_000
  #endif
  private static let count = isLong ? 3_000_000 : shortCount
  /// Messages to one gateway.
  private static let gateCount = 1_000

  @Test func `no bytes of callers and relays end the gateway`() {
    var done = 0
    var seed = Self.firstSeed
    var upgrades = 0
    var drops: Set<String> = []
    while done < Self.count {
      if Self.isLong || Self.environment["STATESURF_SEED"] != nil {
        FileHandle.standardError.write(Data("gate: seed \(seed) after \(done)\n".utf8))
      }
      var gate = Gate(seed: seed)
      while gate.messageCount < Self.gateCount { gate.step() }
      done += gate.messageCount
      upgrades += gate.upgradeCount
      drops.formUnion(gate.drops.keys)
      seed += 1
    }
    // Some passed the handshake, and some were refused for each of these: bad form, and too large.
    #expect(upgrades > done / 100)
    #expect(drops.isSuperset(of: ["bad HTTP", "WebSocket 1002", "WebSocket 1009"]), "\(drops)")
  }

  @Test func `what callers claim and leave unfinished takes no memory`() async {
    await #expect(processExitsWith: .success) {
      var gate = Gate(seed: GateTests.firstSeed)
      let count = GateTests.count / 4
      while gate.messageCount < count / 2 { gate.step() }
      let before = GateTests.pages
      while gate.messageCount < count { gate.step() }
      // A page has 4 KiB: 64 MiB, and a GiB of those that were asked for and never touched.
      #expect(GateTests.pages.resident - before.resident < 16_384)
      #expect(GateTests.pages.mapped - before.mapped < 262_144)
    }
  }

  /// Polling takes a stream no longer than an answer does.
  @Test func `sessions that are opened and left have an end`() {
    var gate = Gate(seed: 1)
    for _ in 0..<10_000 { gate.openSession() }
    #expect(gate.drops["too many sessions"].map { $0 > 9_000 } == true)
    for _ in 0..<3 { gate.wait(.seconds(70)) }
    let before = gate.drops["too many sessions"]
    gate.openSession()
    #expect(gate.drops["too many sessions"] == before)
  }

  private static var pages: (mapped: Int, resident: Int) {
    let words = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(
      separator: " ")
    return words.flatMap { words in Int(words[0]).flatMap { a in Int(words[1]).map { (a, $0) } } }
      ?? (0, 0)
  }
}
