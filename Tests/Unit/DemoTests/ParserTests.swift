import SystemMonitor
import TestSupport
import Testing

@Suite("The text under /proc")
struct ParserTests {
  @Test(arguments: [
    ("cpu  1 2 3 4 5 6 7 8 9 9\n", [CPUTimes(name: "cpu", busy: 27, total: 36)]),
    ("cpu0 1 2 3 4\n", [CPUTimes(name: "cpu0", busy: 6, total: 10)]),
    ("cpu0 1 2 3\ncpu1 a b c d\nintr 1 2 3 4\n\n", []),
    ("", []), ("cpu", []), ("cpu -1 2 3 4", []),
    ("cpu 18446744073709551615 18446744073709551615 1 1", []),
  ])
  func cpu(text: String, expected: [CPUTimes]) {
    let times = Parsers.cpuTimes(in: text)
    // Sums of numbers that no kernel counts to may be anything, as long as nothing traps.
    if text.count < 40 || !expected.isEmpty { #expect(times == expected) }
  }

  @Test func memory() {
    let text = "MemTotal:  100 kB\nMemFree: 5 kB\nMemAvailable:\t40 kB\nSwapTotal: 2 kB\nHuge: x\n"
    let memory = Memory(total: 102_400, available: 40_960, swapTotal: 2_048, swapFree: 0)
    #expect(Parsers.memory(in: text) == memory)
    #expect(memory.used == 61_440)
  }

  @Test(arguments: ["", "MemTotal: 1 kB", "MemTotal:\nMemAvailable:\n", ":::", "MemTotal: x kB"])
  func noMemory(text: String) { #expect(Parsers.memory(in: text) == nil) }

  @Test func moreMemoryThanThereCanBeIsAllThereIs() {
    let text = "MemTotal: 18446744073709551615 kB\nMemAvailable: 1 kB"
    #expect(Parsers.memory(in: text)?.total == .max)
  }

  @Test(arguments: [
    ("  lo: 1 0 0 0 0 0 0 0 2 0", [Traffic(name: "lo", inbound: 1, outbound: 2)]),
    ("eth0:1: 1 0 0 0 0 0 0 0 2 0", [Traffic(name: "eth0:1", inbound: 1, outbound: 2)]),
    ("eth0:17 0 0 0 0 0 0 0 2", [Traffic(name: "eth0", inbound: 17, outbound: 2)]),
    ("Inter-|   Receive  |  Transmit\n face |bytes packets|bytes\n", []),
    ("lo: 1 2 3", []), (":", []), (": 1 0 0 0 0 0 0 0 2", []), ("", []),
  ])
  func network(text: String, expected: [Traffic]) {
    #expect(Parsers.network(in: text) == expected)
  }

  @Test(arguments: [
    ("8 0 sda 1 2 3 4 5 6 7 8", [Traffic(name: "sda", inbound: 1_536, outbound: 3_584)]),
    ("8 0 sda 1 2 3 4 5 6", []), ("8 0 sda 1 2 x 4 5 6 7 8", []), ("", []),
  ])
  func disks(text: String, expected: [Traffic]) { #expect(Parsers.disks(in: text) == expected) }

  private static let tail = "S 1 1 1 0 -1 0 0 0 0 0 30 12 0 0 20 0 1 0 5 4096"

  @Test(arguments: ["sh", "a b", "(sd-pam)", "x) S 1", "", "\u{1B}[2J"])
  func processesWithAnyName(name: String) {
    let process = Parsers.process(in: "17 (\(name)) \(Self.tail) 3\n", pageSize: 4_096)
    #expect(
      process == ProcessTimes(id: 17, name: name, ticks: 42, residentSize: 12_288))
  }

  @Test(arguments: ["", "17", "17 (sh", ")(", "x (sh) \(tail) 3", "17 (sh) \(tail)", "17 (sh)"])
  func noProcess(text: String) { #expect(Parsers.process(in: text, pageSize: 4_096) == nil) }

  @Test func anythingAtAllTrapsNothing() {
    var generator = SeededGenerator(seed: 7)
    let alphabet = Array("cpu0123456789 :()-x\n\tMemTotalAvib")
    for _ in 1...3_000 {
      let length = Int.random(in: 0...60, using: &generator)
      let text = String((0..<length).map { _ in alphabet.randomElement(using: &generator) ?? " " })
      _ = Parsers.cpuTimes(in: "cpu " + text)
      _ = Parsers.memory(in: "MemTotal:" + text)
      let traffic = Parsers.network(in: text) + Parsers.disks(in: text)
      #expect(traffic.allSatisfy { !$0.name.isEmpty })
      _ = Parsers.process(in: "1 (" + text, pageSize: .max)
    }
  }
}
