import Foundation
import JSONTree
import ReduxDevTools
import SurfControl
import SurfWire
import TestSupport
import Testing

/// An app's export comes back unchanged after JavaScript has read and written it.
@Suite struct JavaScriptTripTests {
  private static let count =
    ProcessInfo.processInfo.environment["STATESURF_LONG"] == "1" ? 10_000 : 1_000

  /// Members with the names of marks, values that look like marks, and numbers of all kinds.
  private struct Maker {
    var random: SeededGenerator

    mutating func upTo(_ end: Int) -> Int { Int.random(in: 0..<end, using: &random) }

    mutating func key() -> String {
      let keys = ["$int", "$number", "$jsan", "$", "a", "b", "é", "e\u{301}", "type", "payload"]
      return keys[upTo(keys.count)]
    }

    /// As JavaScript writes it, or beyond what it knows.
    mutating func number() -> String {
      let numbers = [
        "0", "17", "-5", "0.1", "1.5e-7", "1e+21", "9007199254740991", "9007199254740992",
        "-9007199254740993", "18446744073709551615", "123456789.123456789123456789", "-0", "-0.0",
        "0.1000000000000000055511151231257827", "1e400", "-1e-400", "1e99999999999999999999",
        "170141183460469231731687303715884105727", "0.30000000000000004", "1.0000000000000001",
      ]
      return numbers[upTo(numbers.count)]
    }

    mutating func json(_ depth: Int = 0) -> JSON {
      switch upTo(depth > 3 ? 4 : 8) {
      case 0: return [.null, .bool(true), .bool(false)][upTo(3)]
      case 1: return JSONNumber(literal: number()).map { .number($0) } ?? .null
      case 2:
        return .string(
          ["5", "u", "d0", "n", "$.a", "", "1e400", "é", "e\u{301}", "\u{2028}"][upTo(10)])
      case 3: return .string(number())
      case 4: return .array((0..<upTo(3)).map { _ in json(depth + 1) })
      default:
        var object = JSONObject()
        for _ in 0..<upTo(4) { object[key()] = json(depth + 1) }
        return .object(object)
      }
    }
  }

  private struct Trip {
    let records: [(action: JSON, state: JSON)]
    let text: String
  }

  private func trips() -> [Trip] {
    var maker = Maker(random: SeededGenerator(seed: 9))
    return (0..<Self.count).map { _ in
      let records = (0..<2).map { _ in
        (
          action: JSON.object(JSONObject([.init(key: "set", value: ["_0": maker.json()])])),
          state: maker.json()
        )
      }
      let instance = PanelInstance.loaded(
        .ofStore,
        records.enumerated().map { index, record in
          Record.action(
            SequenceNumber(UInt64(index + 1)), "set(…)", record.action.text(),
            state: record.state.text())
        })
      return Trip(records: records, text: instance.liftedText)
    }
  }

  private func check(_ trip: Trip, _ text: String) throws {
    let history = try ForeignHistory(liftedText: text)
    #expect(history.steps.map(\.state) == trip.records.map(\.state), "\(text)")
    // A single value stands for itself, as a panel shows it.
    let payloads = trip.records.map { $0.action["set"]?["_0"] }
    for (step, payload) in zip(history.steps, payloads) {
      let shown = step.action?["payload"]
      #expect(shown == payload || shown?["_0"] == payload, "\(text)")
    }
  }

  @Test func `with its numbers as doubles, as JSON.parse and JSON.stringify leave them`() throws {
    for trip in trips() {
      try check(trip, Self.doubled(try JSON(parsing: trip.text)).text())
    }
  }

  /// A value whose numbers are doubles. Unlike JavaScript, this keeps the order of all members, and
  /// spells numbers as Swift does.
  private static func doubled(_ json: JSON) -> JSON {
    switch json {
    case .number(let number):
      // JavaScript writes -0 as 0, infinity as null, and exponents without leading zeros.
      let double = number.double + 0
      if let integer = Int(exactly: double) { return .number(integer) }
      let text = "\(double)".replacing("e-0", with: "e-")
      return JSONNumber(literal: text).map { .number($0) } ?? .null
    case .array(let elements): return .array(elements.map(doubled))
    case .object(let object):
      return .object(
        JSONObject(object.members.map { .init(key: $0.key, value: doubled($0.value)) }))
    case .null, .bool, .string: return json
    }
  }

  private static let node = ["/usr/bin/node", "/usr/bin/nodejs"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(.enabled(if: node != nil, "no JavaScript engine is installed: /usr/bin/node"))
  func `through those of a JavaScript engine`() throws {
    let trips = trips()
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (before, after) = (folder.appending(path: "before"), folder.appending(path: "after"))
    try trips.map(\.text).joined(separator: "\n").write(
      to: before, atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = URL(filePath: try #require(Self.node))
    process.arguments = [
      "-e",
      """
      const f = require("fs");
      f.writeFileSync(process.argv[2], f.readFileSync(process.argv[1], "utf8").split("\\n")
        .map((line) => JSON.stringify(JSON.parse(line))).join("\\n"));
      """, before.path(), after.path(),
    ]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let lines = try String(contentsOf: after, encoding: .utf8).split(separator: "\n")
    try #require(lines.count == trips.count)
    for (trip, line) in zip(trips, lines) { try check(trip, String(line)) }
  }

  @Test(arguments: [
    (#"{"a":123456789.123456789123456789}"#, #"{"a":{"$number":"123456789.123456789123456789"}}"#),
    (#"{"a":9007199254740993}"#, #"{"a":{"$int":"9007199254740993"}}"#),
    (#"{"a":0.1,"b":1e2,"c":1.50}"#, #"{"a":0.1,"b":1e2,"c":1.50}"#),
    (#"{"$int":"5"}"#, #"{"$int":["5"]}"#), (#"{"$int":["5"]}"#, #"{"$int":[["5"]]}"#),
    (#"{"\u0024jsan":"u"}"#, #"{"$jsan":["u"]}"#),
    (#"[{"$number":5,"x":-0}]"#, #"[{"$number":[5],"x":{"$int":"-0"}}]"#),
    (#"{"price":"$5"}"#, #"{"price":"$5"}"#),
  ])
  func `what goes to a panel is marked`(state: String, shown: String) throws {
    let instance = PanelInstance.loaded([], [Record.action(1, "set", state: state)])
    let lifted = try JSON(parsing: instance.liftedText)
    #expect(lifted["computedStates"]?.list[1]["state"] == (try JSON(parsing: shown)))
    #expect(
      try ForeignHistory(liftedText: instance.liftedText).steps.map(\.state)
        == [JSON(parsing: state)])
  }
}
