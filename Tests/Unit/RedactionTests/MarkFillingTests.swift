import JSONTree
import Redaction
import TestSupport
import Testing

@Suite struct MarkFillingTests {
  private func filled(_ json: String, from live: String) throws -> String {
    try JSON(parsing: json).filled(from: JSON(parsing: live)).text()
  }

  private func redacted(_ value: JSON, _ paths: [String]) throws -> JSON {
    try JSON(parsing: RedactedPaths(paths).redact(value.bytes()))
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func `a state over its own marks is the state`(seed: UInt64) throws {
    var random = RandomValue(seed: seed)
    let value = random.value()
    let marked = try redacted(value, [random.text(random.path()), random.text(random.path())])
    // Of duplicate keys the last counts, also here.
    let counting = try JSON(parsing: value.filled(from: value).bytes())
    #expect(try marked.filled(from: value) == counting)
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func `a state over another's marks has no mark and no value of its own in their place`(
    seed: UInt64
  ) throws {
    var random = RandomValue(seed: seed)
    let (then, now) = (random.value(), random.value())
    let marked = try redacted(then, [random.text(random.path())])
    do throws(UnfilledMark) {
      let restored = try marked.filled(from: now)
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
    #expect(error?.description.hasPrefix("[0].t is redacted, and the app has no value") == true)
  }

  @Test(arguments: [
    (#"{"s":{"t":{"$redacted":"string"}}}"#, #"{"s":null}"#, "s.t"),
    (#"{"u":[{},{"t":{"$redacted":"string"}}]}"#, #"{"u":[{}]}"#, "u[1].t"),
    (#"{"u":[{"$redacted":"string"}]}"#, #"{"u":[]}"#, "u[0]"),
    (#"{"t":{"$redacted":"string"}}"#, #"{"t":{"$redacted":"string"}}"#, "t"),
  ])
  func `a mark without a live value is refused by its place`(
    then: String, now: String, place: String
  ) {
    let wanted = UnfilledMark(place: place)
    #expect(throws: wanted) { try filled(then, from: now) }
  }
}
