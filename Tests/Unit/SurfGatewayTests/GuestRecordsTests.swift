import JSONTree
import SurfGateway
import SurfTimeline
import SurfWire
import TestSupport
import Testing

@Suite struct GuestRecordsTests {
  private static func text(_ content: Content?) -> String? {
    content.map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  @Test func `the state after a value is the object of all values, and a log has none`() {
    var records = GuestRecords()
    let steps: [GuestStep] = [
      .update(id: "recipe", data: Array("[1]".utf8)), .log(.warning, "hot", details: nil),
      .update(id: "a \"b\"", data: Array("2".utf8)),
      .log(.info, "[1]", details: Array("[1]".utf8)),
      .update(id: "recipe", data: Array("null".utf8)),
    ]
    let made = steps.map { records.made($0, wallTime: 7, uptime: 8) }
    #expect(made.map(\.sequence) == [1, 2, 3, 4, 5])
    #expect(made.map(\.name) == ["recipe", "hot", "a \"b\"", "[1]", "recipe"])
    #expect(made.map(\.kind) == [.update, .log(.warning), .update, .log(.info), .update])
    #expect(made.map { Self.text($0.payload) } == ["[1]", nil, "2", "[1]", "null"])
    var timeline = Timeline()
    for record in made { timeline.append(record) }
    #expect(
      (1...5).map { Self.text(timeline.state(of: $0)) } == [
        #"{"recipe":[1]}"#, nil, #"{"a \"b\"":2,"recipe":[1]}"#, nil,
        #"{"a \"b\"":2,"recipe":null}"#,
      ])
    #expect(timeline.position == .record(5))
  }

  @Test(arguments: 0..<10)
  func `viewers make of its deltas what it said`(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    var records = GuestRecords()
    var timeline = Timeline()
    var model: [String: String] = [:]
    var deltaCount = 0
    for row in 1...200 {
      let id = "id \(Int.random(in: 0..<9, using: &generator))"
      let filler = String(repeating: "abcdefgh", count: Int.random(in: 0..<40, using: &generator))
      let value = #"{"filler":"\#(filler)","n":\#(row)}"#
      model[id] = value
      let record = records.made(
        .update(id: id, data: Array(value.utf8)), wallTime: 0, uptime: UInt64(row) * 1_000_000)
      if record.base != nil { deltaCount += 1 }
      timeline.append(record)
      let members = model.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
      let number = SequenceNumber(row)
      #expect(
        Self.text(timeline.state(of: number)) == "{\(members.joined(separator: ","))}",
        "seed \(seed), row \(row)")
      #expect(Self.text(timeline.row(number)?.record.payload) == value)
    }
    #expect(deltaCount > 100)
  }

  @Test func `states that come too fast are given up and counted, and the next in time is whole`() {
    var records = GuestRecords()
    let large = Array("\"\(String(repeating: "x", count: 1 << 20))\"".utf8)
    var lastState = RecordState.none
    for _ in 0..<40 {
      lastState = records.made(.update(id: "a", data: large), wallTime: 0, uptime: 0).state
    }
    #expect(lastState == .givenUp)
    // A second in advance, at 8 MiB a second.
    #expect((30...33).contains(records.givenUp.states.clamped(to: .max)))
    let later = records.made(
      .update(id: "b", data: [0x31]), wallTime: 0, uptime: 10_000_000_000)
    #expect(later.carriesState && later.state != .givenUp)
    records.giveUp()
    #expect(records.givenUp.records == 1)
  }

  @Test(arguments: [1, 4, 8, 32])
  func `many guests share the time for states`(count: Int) {
    var records = Array(repeating: GuestRecords(), count: count)
    let value = Array("\"\(String(repeating: "x", count: 1 << 16))\"".utf8)
    var made = 0
    for tick in 0..<600 {
      // Ten seconds.
      let uptime = UInt64(tick) * 16_666_667
      for index in records.indices {
        let record = records[index].record(
          .update(id: "\(tick % 16)", data: value), wallTime: 0, uptime: uptime, among: count)
        if record?.carriesState == true { made += min(tick + 1, 16) << 16 }
      }
    }
    // 8 MiB a second each, and 32 MiB all together, for ten seconds and one in advance; and one
    // state each on credit.
    let each = min(8, 32 / count) << 20
    #expect(made <= count * (11 * each + 1 << 20) && made >= count * 9 * each)
  }

  @Test func `a panel shows each value as an action, with all values as the state`() throws {
    let bench = Bench.inspecting
    let panel = bench.panel()
    let session = SessionID(rawValue: 0x11)
    bench.appear(session, "FoodNoms")
    var records = GuestRecords()
    let steps: [GuestStep] = [
      .update(id: "recipe", data: Array("[1]".utf8)),
      .update(id: "entry", data: Array(#"{"grams":2}"#.utf8)),
      .log(.warning, "hot", details: nil),
    ]
    for step in steps {
      bench.observe(.record(session, records.made(step, wallTime: 0, uptime: 0)))
    }
    let actions = try panel.frames.filter { $0["type"] == "ACTION" }.map { frame in
      (
        try JSON(parsing: try #require(frame["action"]?.text))["action"],
        try #require(frame["payload"]?.text)
      )
    }
    #expect(
      actions.map(\.0) == [
        ["type": "recipe", "payload": [1]], ["type": "entry", "payload": ["grams": 2]],
        ["type": "@@LOG warning: hot"],
      ])
    #expect(
      actions.map(\.1) == [
        #"{"recipe":[1]}"#, #"{"entry":{"grams":2},"recipe":[1]}"#,
        #"{"entry":{"grams":2},"recipe":[1]}"#,
      ])
  }
}

extension GuestRecords {
  /// The record of a step that makes one.
  fileprivate mutating func made(
    _ step: GuestStep, wallTime: Int64, uptime: UInt64
  ) -> Record {
    guard let record = record(step, wallTime: wallTime, uptime: uptime) else {
      preconditionFailure("\(step) has no record")
    }
    return record
  }
}
