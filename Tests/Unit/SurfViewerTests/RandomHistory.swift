import JSONTree
import SurfTimeline
import SurfWire
import TestSupport

/// A history as an app sends it: whole states and deltas, rows without states, gaps.
struct RandomHistory {
  var timeline: Timeline
  private var random: SeededGenerator
  private var state: JSON = ["count": 0, "user": ["name": "ada"], "list": [1, 2]]
  private var sent: (number: UInt64, bytes: [UInt8])?
  /// Those that a row may grow from.
  private var states: [(number: UInt64, state: JSON)] = []

  init(seed: UInt64, rowCount: Int, bounds: Timeline.Bounds = Timeline.Bounds()) {
    random = SeededGenerator(seed: seed)
    timeline = Timeline(bounds: bounds)
    var number: UInt64 = 0
    while number < UInt64(rowCount) {
      number += 1
      if Int.random(in: 0..<30, using: &random) == 0 {
        timeline.lose(SequenceNumber(number)...SequenceNumber(number))
        sent = nil
      } else {
        timeline.append(record(number))
      }
    }
  }

  private mutating func record(_ number: UInt64) -> Record {
    let kind: Record.Kind = Int.random(in: 0..<6, using: &random) == 0 ? .log(.info) : .action
    let parent = Int.random(in: 0..<3, using: &random) == 0 ? number - 1 : 0
    let grownFrom = kind == .action ? jump() : nil
    return Record(
      sequence: SequenceNumber(number), kind: kind, wallTime: Int64(number) * 1_000_000_000,
      uptime: number * 50_000_000, parent: SequenceNumber(parent), name: "row\(number % 7)",
      source: "A/Main.swift:\(number % 9)", state: kind == .action ? nextState(number) : .none,
      grownFrom: grownFrom)
  }

  /// Sometimes the app acts in an earlier state.
  private mutating func jump() -> GrownFrom? {
    guard Int.random(in: 0..<12, using: &random) == 0,
      let origin = states.randomElement(using: &random)
    else { return nil }
    state = origin.state
    return GrownFrom(from: .record(SequenceNumber(origin.number)))
  }

  private mutating func nextState(_ number: UInt64) -> RecordState {
    change()
    states.append((number, state))
    guard Int.random(in: 0..<20, using: &random) > 0 else { return .givenUp }
    let bytes = state.bytes()
    defer { sent = (number, bytes) }
    if let sent, Int.random(in: 0..<12, using: &random) > 0,
      let delta = Delta.between(
        sent.bytes, bytes, baseRecord: SequenceNumber(sent.number), sizeMax: .max)
    {
      return .delta(Content(type: "application/json", bytes: delta.encoded()))
    }
    return .keyframe(Content(type: "application/json", bytes: bytes))
  }

  private mutating func change() {
    var object = state.object ?? JSONObject()
    switch Int.random(in: 0..<6, using: &random) {
    case 0: break
    case 1: object["count"] = .number((object["count"]?.integer ?? 0) + 1)
    case 2: object["user"] = object["user"] == nil ? ["name": "eve"] : nil
    case 3: object["list"] = .array((0..<Int.random(in: 0..<4, using: &random)).map { .number($0) })
    case 4: object["user"] = ["name": .string("n\(Int.random(in: 0..<3, using: &random))")]
    default: object["noise"] = .number(Int.random(in: 0..<1_000, using: &random))
    }
    state = .object(object)
  }
}

let todo = SessionID(rawValue: 1)

/// It has one app, `todo`.
func catalog(_ bounds: Timeline.Bounds = Timeline.Bounds()) -> Catalog {
  var all = Catalog.Bounds()
  all.timeline = bounds
  var catalog = Catalog(bounds: all)
  catalog.hear(
    todo,
    Heartbeat(
      instance: InstanceID(high: 1, low: 1), app: "Todo", host: "ada", processID: 12,
      contentType: "application/json", acceptsResets: true, control: [], datagramSize: 1_344,
      progress: StreamProgress(newestRecord: 0), position: .initial,
      givenUp: Heartbeat.GivenUp()))
  return catalog
}

/// An app with these rows.
func instance(_ timeline: Timeline) -> Instance {
  var catalog = catalog()
  for row in timeline.rows {
    if let record = timeline.record(row.number) { catalog.append(record, to: todo) }
  }
  guard let instance = catalog[todo] else { preconditionFailure("it was just heard") }
  return instance
}
