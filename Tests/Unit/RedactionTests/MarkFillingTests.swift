import FoundationEssentials
import Glibc
import JSONTree
import Redaction
import TestSupport
import Testing

@Suite struct MarkFillingTests {
  /// - Parameter paths: the redacted paths of the live value.
  private func filled(
    _ json: String, from live: String, _ paths: String...
  ) throws -> String {
    try JSON(parsing: json).filled(from: self.live(JSON(parsing: live), paths)).clear.text()
  }

  private func live(_ value: JSON, _ paths: [String]) throws -> AppValue {
    AppValue(clear: value, told: try redacted(value, paths))
  }

  private func redacted(_ value: JSON, _ paths: [String]) throws -> JSON {
    try JSON(parsing: RedactedPaths(paths).redact(value.bytes()))
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func `a state over its own marks is the state`(seed: UInt64) throws {
    var random = RandomValue(seed: seed)
    let value = random.value()
    let paths = [random.text(random.path()), random.text(random.path())]
    let live = try live(value, paths)
    let filled = try #require(try live.told?.filled(from: live))
    #expect(filled.clear == value)
    #expect(filled.told == live.told)
    try filled.check(in: #require(filled.told))
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func `a state over another's marks has no mark and no value of its own in their place`(
    seed: UInt64
  ) throws {
    var random = RandomValue(seed: seed)
    let (then, now) = (random.value(), random.value())
    let paths = [random.text(random.path())]
    let (marked, live) = (try redacted(then, paths), try live(now, paths))
    do throws(UnfilledMark) {
      let restored = try marked.filled(from: live).clear
      #expect(!restored.hasMark)
      #expect(restored.canaries.isSubset(of: marked.canaries.union(now.canaries)))
    } catch {
      #expect(error.description.hasPrefix(error.place))
    }
  }

  @Test func `the live value stays where the mark is`() throws {
    let mark = #"{"$redacted":"string"}"#
    #expect(
      try filled("{\"a\":1,\"p\":\(mark)}", from: #"{"a":2,"p":"live"}"#) == #"{"a":1,"p":"live"}"#)
    #expect(try filled(mark, from: "5") == "5")
  }

  @Test func `no live value in a live object means that there is none`() throws {
    let json = #"{"a":1,"p":{"$redacted":"string"}}"#
    #expect(try filled(json, from: #"{"a":2}"#) == #"{"a":1}"#)
  }

  @Test func `elements with an id are found by it`() throws {
    let then = #"[{"id":2,"t":{"$redacted":"string"}},{"id":1,"t":{"$redacted":"string"}}]"#
    let now = #"[{"id":1,"t":"one"},{"id":2,"t":"two"}]"#
    #expect(try filled(then, from: now) == #"[{"id":2,"t":"two"},{"id":1,"t":"one"}]"#)
    let error = #expect(throws: UnfilledMark.self) {
      try filled(then, from: #"[{"id":1,"t":"one"}]"#)
    }
    let reason =
      "[0].t is redacted, and nothing there says which element it belongs to; an id would"
    #expect(error?.description == reason)
  }

  @Test(arguments: [
    (#"{"s":{"t":{"$redacted":"string"}}}"#, #"{"s":null}"#, "s.t"),
    (#"{"u":[{"$redacted":"string"}]}"#, #"{"u":[]}"#, "u[0]"),
    (#"{"t":{"$redacted":"string"}}"#, #"{"t":{"$redacted":"string"}}"#, "t"),
  ])
  func `a mark without a live value is refused by its place`(
    then: String, now: String, place: String
  ) {
    let wanted = UnfilledMark(place: place)
    #expect(throws: wanted) { try filled(then, from: now) }
  }

  @Test func `elements without an id are told apart by what is open`() throws {
    let mark = #"{"$redacted":"string"}"#
    let then = #"[{"n":"a","t":\#(mark)},{"n":"b","t":\#(mark)}]"#
    let now = #"[{"n":"new","t":0},{"n":"b","t":2},{"n":"a","t":1}]"#
    #expect(try filled(then, from: now, "*.t") == #"[{"n":"a","t":1},{"n":"b","t":2}]"#)
    // Keys and values.
    let pairs = #"["k",{"t":\#(mark)},"l",{"t":\#(mark)}]"#
    let wanted = #"["k",{"t":1},"l",{"t":2}]"#
    #expect(try filled(pairs, from: #"["l",{"t":2},"m",{"t":3},"k",{"t":1}]"#, "*.t") == wanted)
    // As many as ever, where nothing tells them apart.
    #expect(try filled("[\(mark),\(mark)]", from: #"["x","y"]"#, "*") == #"["x","y"]"#)
  }

  @Test(arguments: [
    // Others are before it, or it is another one.
    (#"[M]"#, #"["x","y"]"#, "*", "[0]"),
    (#"[{"t":M}]"#, #"[{"t":1},{"t":2}]"#, "*.t", "[0].t"),
    (#"[{"n":"a","t":M}]"#, #"[{"n":"b","t":1}]"#, "*.t", "[0].t"),
    (#"["k",{"t":M}]"#, #"["l",{"t":1}]"#, "*.t", "[1].t"),
    // Two with one id, and one that is meant twice.
    (#"[{"id":1,"t":M}]"#, #"[{"id":1,"t":1},{"id":1,"t":2}]"#, "*.t", "[0].t"),
    (#"[{"id":1,"t":M},{"id":1,"t":M}]"#, #"[{"id":1,"t":1}]"#, "*.t", "[1].t"),
    (#"{"u":[{},{"t":M}]}"#, #"{"u":[{}]}"#, "u.*.t", "u[1].t"),
  ])
  func `where nothing tells whose a value is, it is refused by its place`(
    then: String, now: String, path: String, place: String
  ) {
    let then = then.replacingOccurrences(of: "M", with: #"{"$redacted":"string"}"#)
    let wanted = UnfilledMark(place: place, .unclear)
    #expect(throws: wanted) { try filled(then, from: now, path) }
  }

  private func checked(_ marked: String, from live: String, madeInto now: String) throws {
    let live = AppValue(clear: try JSON(parsing: live), told: nil)
    try JSON(parsing: marked.replacingOccurrences(of: "M", with: #"{"$redacted":"string"}"#))
      .filled(from: live)
      .check(in: JSON(parsing: now.replacingOccurrences(of: "M", with: #"{"$redacted":"null"}"#)))
  }

  @Test func `what was filled in must be redacted where the app has it then`() throws {
    try checked(#"{"a":M,"b":M}"#, from: #"{"a":"x"}"#, madeInto: #"{"a":M,"c":1}"#)
    let ids = #"[{"id":1,"t":M},{"id":2}]"#
    let live = #"[{"id":1,"t":"x"}]"#
    try checked(ids, from: live, madeInto: #"[{"id":2},{"id":1,"t":M}]"#)
    let open = UnfilledMark(place: "[0].t", .open)
    #expect(throws: open) {
      try checked(ids, from: live, madeInto: #"[{"id":1,"t":"x"},{"id":2}]"#)
    }
    #expect(throws: open) {
      try checked(ids, from: live, madeInto: #"[{"id":2},{"id":1,"t":"x"}]"#)
    }
    #expect(throws: open) { try checked(ids, from: live, madeInto: #"[{"id":2},{"id":3,"t":M}]"#) }
    let gone = UnfilledMark(place: "a", .open)
    #expect(throws: gone) { try checked(#"{"a":M}"#, from: #"{"a":"x"}"#, madeInto: #"{"b":"x"}"#) }
  }

  private enum Shape: CaseIterable {
    /// One redacted field among many, elements with ids that moved, those without, and one id that
    /// is meant again and again.
    case members, ids, looks, oneID

    func json(_ count: Int, isLive: Bool) -> JSON {
      let secret: JSON = isLive ? "secret" : ["$redacted": "string"]
      let numbers = isLive ? Array(0..<count) : (0..<count).reversed()
      switch self {
      case .members:
        return .object(
          JSONObject(numbers.map { .init(key: "k\($0)", value: $0 == 7 ? secret : ["a": 1]) }))
      case .ids: return .array(numbers.map { ["id": .number($0), "t": secret] })
      case .looks: return .array(numbers.map { ["n": .number($0), "t": secret] })
      case .oneID:
        guard !isLive else { return [["id": 1, "t": .array(numbers.map { _ in "secret" })]] }
        return .array(numbers.map { _ in ["id": 1, "t": [secret]] })
      }
    }
  }

  /// What this thread has used of a core: others use the machine, too.
  private static var threadTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  @Test(arguments: Shape.allCases)
  private func `ten times the state takes ten times the work`(shape: Shape) throws {
    func work(_ count: Int) throws -> Duration {
      let live = shape.json(count, isLive: true)
      let paths = ["k7", "*.t"]
      let both = AppValue(clear: live, told: try redacted(live, paths))
      let marked = shape.json(count, isLive: false)
      let start = Self.threadTime
      do {
        do throws(UnfilledMark) {
          let filled = try marked.filled(from: both)
          try filled.check(in: filled.told ?? filled.clear)
          #expect(!filled.clear.hasMark)
        } catch {
          #expect(shape == .oneID)
        }
      }
      return Self.threadTime - start
    }
    let few = try (0..<3).map { _ in try work(300) }.min() ?? .zero
    let many = try (0..<2).map { _ in try work(3_000) }.min() ?? .zero
    // Quadratic work would be 100 times as much.
    #expect(many < few * 30)
  }
}
