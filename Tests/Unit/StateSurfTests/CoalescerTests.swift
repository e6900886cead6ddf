import StateSurf
import SurfLive
import SurfWire
import TestSupport
import Testing

/// The same without threads, on time that the test makes.
@Suite struct CoalescerTests {
  private struct Told {
    var name: String
    var tickets: ClosedRange<UInt64>
    var at: UInt64
  }

  private static let interval: UInt64 = 100

  /// What happens at random; each action as a name with its moment.
  private static func told(seed: UInt64, _ names: inout [String]) -> [Told] {
    var random = SeededGenerator(seed: seed)
    var coalescer = Coalescer(
      .thinning(coalesced: ["tick", "a*"], every: .nanoseconds(Self.interval)))
    var told: [Told] = []
    var now: UInt64 = 0
    func tell(_ one: Coalescer.Row, at now: UInt64) {
      #expect(one.count == WireCount(one.tickets.count))
      told.append(Told(name: one.entry.told, tickets: one.tickets, at: now))
    }
    for _ in 0..<400 {
      now += UInt64.random(in: 0...70, using: &random)
      if let deadline = coalescer.deadline, deadline <= now {
        // The driver comes late now and then.
        let late = min(now, deadline + UInt64.random(in: 0...20, using: &random))
        let due = coalescer.expire(at: late)
        #expect(due != nil)
        if let due { tell(due, at: late) }
      }
      switch Int.random(in: 0..<20, using: &random) {
      case 0: if let due = coalescer.interrupt() { tell(due, at: now) }
      case 1: if let due = coalescer.expire(at: now) { tell(due, at: now) }
      default:
        let name =
          Bool.random(using: &random)
          ? names.last ?? "tick" : ["tick", "ab", "b"].randomElement(using: &random)!
        names.append(name)
        var entry = Entry(action: name, state: [1])
        entry.moment = Moment(uptime: now)
        let ticket = UInt64(names.count)
        let detail = RecordWriter.Detail(name: name)
        for one in coalescer.add(Coalescer.Row(entry, ticket...ticket, detail)) {
          tell(one, at: now)
        }
      }
    }
    if let due = coalescer.interrupt() { tell(due, at: now) }
    return told
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `none is lost or moved, and none of another name, or too soon, is told with it`(
    seed: UInt64
  ) {
    var names: [String] = []
    let told = Self.told(seed: seed, &names)
    let tickets = told.flatMap { Array($0.tickets) }
    #expect(tickets == Array(1...UInt64(names.count)))
    #expect(told.allSatisfy { one in one.tickets.allSatisfy { names[Int($0) - 1] == one.name } })
    #expect(told.allSatisfy { $0.name != "b" || $0.tickets.count == 1 })
    #expect(told.contains { $0.tickets.count > 1 })
  }

  @Test func `as many are told as there were, whatever the number`() {
    var coalescer = Coalescer(.thinning(coalesced: ["*"], every: .seconds(1)))
    var entry = Entry(action: "tick", state: [1])
    let detail = RecordWriter.Detail(name: "tick")
    for ticket in [UInt64(1), 2, 3] {
      entry.moment = Moment(uptime: .max - 3)
      _ = coalescer.add(Coalescer.Row(entry, ticket...ticket, detail))
    }
    // The end of all time is no reason to trap.
    #expect(coalescer.deadline == .max)
    let last = coalescer.expire(at: .max)
    #expect(last?.count == 2)
    #expect(coalescer.deadline == nil)
  }

  @Test func `equal actions leave no faster than they may`() throws {
    var coalescer = Coalescer(.thinning(coalesced: ["tick"], every: .nanoseconds(100)))
    var told: [(at: UInt64, count: WireCount)] = []
    for now in stride(from: UInt64(1_000), to: 2_000, by: 10) {
      var entry = Entry(action: "tick", state: [1])
      entry.moment = Moment(uptime: now)
      let one = Coalescer.Row(
        entry, now...now, RecordWriter.Detail(name: "tick"))
      told += coalescer.add(one).map { (now, $0.count) }
    }
    let times = told.map(\.at)
    #expect(times == Array(stride(from: 1_000, to: 2_000, by: 100)))
    let counts = told.map(\.count)
    #expect(counts == [1, 9] + Array(repeating: 10, count: 8))
    #expect(coalescer.deadline == 2_000)
  }

  @Test(arguments: [
    ("tick", "tick", true), ("tick", "tick(2)", true), ("tick", "ticks", false),
    ("tick", "count.tick", false), ("*", "", true), ("*", "add(\"*\")", true), ("", "", true),
    ("", "a", false), ("cursor.*", "cursor.move(x: 1)", true), ("cursor.*", "cursor", false),
    ("*.move", "cursor.move(x: 1)", true), ("add(2)", "add(2)", true), ("add(2)", "add(3)", false),
    ("add(*)", "add", false), ("a*b*c", "aXbYbZc", true), ("a*b*c", "aXbYbZ", false),
    ("**", "x", true), ("größe*", "größer", true), ("a*", "ba", false), ("(", "(", true),
  ])
  func `a pattern means what it says`(pattern: String, name: String, matches: Bool) {
    #expect(NamePattern(pattern).matches(name) == matches)
  }

  @Test func `a pattern that goes back and back ends soon`() {
    let name = String(repeating: "a", count: 4_096)
    let pattern = String(repeating: "*a", count: 50) + "b"
    #expect(!NamePattern(pattern).matches(name))
  }
}

extension Transceiver.Configuration.Thinning {
  static func thinning(
    coalesced: [String] = [], sampled: [String] = [], every interval: Duration
  ) -> Self {
    var thinning = Self()
    (thinning.coalesced, thinning.sampled, thinning.interval) = (coalesced, sampled, interval)
    return thinning
  }
}
