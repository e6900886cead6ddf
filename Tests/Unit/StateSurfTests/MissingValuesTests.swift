import StateSurf
import SurfLive
import SurfNetwork
import SurfWire
import TestSupport
import Testing

@Suite("Values after records were given up")
struct MissingValuesTests {
  /// A viewer's live values: what an update says holds until its name, or one above, is removed.
  private struct LiveValues: Equatable {
    private(set) var payloads: [[UInt8]: [UInt8]] = [:]

    mutating func update(_ name: String, _ payload: [UInt8]) {
      payloads[Array(name.utf8)] = payload
    }

    mutating func remove(_ name: String) {
      let (name, below) = (Array(name.utf8), Array("\(name)/".utf8))
      payloads = payloads.filter { $0.key != name && !$0.key.starts(with: below) }
    }
  }

  /// An app's values, the queue, and what a viewer makes of that which leaves it.
  private struct World {
    var queue: RecordQueue
    private(set) var app = LiveValues()
    private(set) var viewer = LiveValues()
    /// Words on values that left the queue.
    private(set) var told: [String] = []
    private var writer = RecordWriter()
    private var count = 0

    init(records: Int, details: Int = 1_000_000) {
      var bounds = RecordQueue.Bounds()
      bounds.recordCountMax = records
      bounds.detailSizeMax = details
      queue = RecordQueue(bounds: bounds)
    }

    /// `a/b`, or `-a/b` for its end.
    mutating func tell(_ word: String) {
      count += 1
      let payload = Array("\(count)".utf8)
      if word.hasPrefix("-") {
        app.remove(String(word.dropFirst()))
        _ = queue.add(Entry(told: word), at: Moment())
      } else {
        app.update(word, payload)
        _ = queue.add(Entry(told: word, payload: payload), at: Moment())
      }
    }

    mutating func take() -> Bool {
      guard let item = queue.take() else { return false }
      guard case .record(let tickets, let entry) = item else { return true }
      for record in writer.records(for: entry, of: tickets) {
        switch record.kind {
        case .update:
          told.append(record.name)
          viewer.update(record.name, record.payload?.bytes ?? [])
        case .remove:
          told.append("-\(record.name)")
          viewer.remove(record.name)
        default: break
        }
      }
      return true
    }

    mutating func drain() { while take() {} }
  }

  /// With these records in a queue of three, of which `first` is sent before the rest comes.
  private func told(first: [String] = [], _ words: [String]) -> [String] {
    var world = World(records: 3)
    for word in first {
      world.tell(word)
      world.drain()
    }
    let sent = world.told.count
    for word in ["x", "x", "x"] + words { world.tell(word) }
    world.drain()
    #expect(world.viewer == world.app)
    return Array(world.told[(sent + 3)...])
  }

  @Test func `a scope that began and ended in the gap leaves nothing`() {
    #expect(told(["s/a", "s/b", "-s"]) == [])
    #expect(told((0..<5_000).flatMap { ["s\($0)/a", "-s\($0)"] }) == [])
  }

  @Test func `the end of what viewers know is told`() {
    #expect(told(first: ["s/a"], ["-s"]) == ["-s"])
    #expect(told(first: ["s/a"], ["-s/a"]) == ["-s/a"])
    #expect(told(first: ["s"], ["-s", "s", "-s"]) == ["-s"])
    #expect(told(first: ["s/a", "-s"], ["-s"]) == [])
  }

  @Test func `an end comes before what began anew`() {
    #expect(told(first: ["s/a"], ["-s", "s"]) == ["-s", "s"])
    #expect(told(first: ["s/a"], ["-s", "s/b"]) == ["-s", "s/b"])
    #expect(told(first: ["s/a"], ["-s", "s/b", "-s/b"]) == ["-s"])
    #expect(told(first: ["s/a"], ["-s/a", "s/b", "-s"]) == ["-s"])
  }

  @Test func `texts that Unicode holds equal are two names`() {
    let (composed, decomposed) = ("\u{e9}", "e\u{301}")
    let told = told([composed, decomposed])
    #expect(told.map { Array($0.utf8) } == [Array(composed.utf8), Array(decomposed.utf8)])
  }

  @Test func `names with empty parts are names of their own`() {
    #expect(told(first: ["s//a", "s/a"], ["-s/"]) == ["-s/"])
    #expect(told(first: ["/a", "a"], ["-"]) == ["-"])
    #expect(told(["a", "a/", "/a", ""]) == ["a", "a/", "/a", ""])
  }

  @Test func `a name of a million parts ends no thread`() {
    let deep = String(repeating: "a/", count: 1_000_000)
    var world = World(records: 3, details: 100_000_000)
    for word in [deep, "s/a", "x", "x", "x", "-s", deep, "-\(deep)", "y"] { world.tell(word) }
    world.drain()
    // Too deep to be followed; of the others all is known.
    #expect(world.told.suffix(2) == ["-s", "y"])
  }

  @Test func `sixty thousand values come whole, each with its newest word`() {
    let names = (0..<60_000).map { "many/\($0)" }
    #expect(told(names + names.reversed()) == names.reversed())
  }

  @Test func `of more values than an app keeps, the newest follow`() {
    var world = World(records: 3)
    for number in 0..<200_000 { world.tell("many/\(number)") }
    world.drain()
    let kept = world.told.dropFirst(3)
    #expect(kept.count >= 65_536 && kept.count <= 2 * 65_536)
    #expect(Array(kept) == (200_000 - kept.count..<200_000).map { "many/\($0)" })
  }

  @Test(arguments: 0..<300)
  func `whatever is given up, viewers end with the app's values`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let parts = ["a", "b", "a/a", "a/b", "a/a/a", "ab", "\u{e9}", "e\u{301}", "", "a/", "/a"]
    var world = World(
      records: Int.random(in: 2...6, using: &random), details: seed % 2 == 0 ? 20 : 1_000)
    for _ in 0..<300 {
      switch Int.random(in: 0..<20, using: &random) {
      case 0: world.drain()
      case 1...5: _ = world.take()
      case 6...9: world.tell("-" + parts[Int.random(in: 0..<parts.count, using: &random)])
      default: world.tell(parts[Int.random(in: 0..<parts.count, using: &random)])
      }
    }
    world.drain()
    #expect(world.viewer == world.app)
  }

  @Test(arguments: 0..<100)
  func `nor does an early end leave a value that is gone`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let names = ["a", "b", "a/a", "a/b", "a/a/a"]
    var world = World(records: 8)
    for _ in 0..<100 {
      switch Int.random(in: 0..<20, using: &random) {
      case 0...5: _ = world.take()
      case 6...9: world.tell("-" + names[Int.random(in: 0..<names.count, using: &random)])
      default: world.tell(names[Int.random(in: 0..<names.count, using: &random)])
      }
    }
    world.queue.giveUpRest()
    world.drain()
    #expect(world.viewer == world.app)
  }
}
