import SurfTimeline
import SurfWire

/// A history of states of some 5 KB, as a shop's app has them: some places change with every row,
/// some with every hundredth, some once in thousands.
struct FindHistory {
  private(set) var instance: Instance
  /// The history as JSON, one line for each row.
  private(set) var lines: [[UInt8]] = []

  private var shop = Shop()
  private var before: [UInt8] = []

  /// - Parameter keepsLines: whether the lines are wanted; they take as much memory as all states.
  init(rowCount: Int, keepsLines: Bool) throws {
    var catalog = Catalog()
    catalog.hear(
      Samples.session,
      Heartbeat(
        instance: InstanceID(high: 1, low: 2), app: "shop", host: "here", processID: 1,
        contentType: "application/json", acceptsResets: true,
        datagramSize: UInt16(Limits.datagramSizeMax)))
    guard let empty = catalog[Samples.session] else {
      throw BenchmarkFailure("an app that was heard is not there")
    }
    instance = empty
    let planted = PlantedNote.all(in: rowCount)
    for number in 1...UInt64(rowCount) {
      let state = shop.next(number, planted[number])
      let name = number % 1_000 == 0 ? "checkout" : "tick"
      catalog.append(record(number, name, state), to: Samples.session)
      if keepsLines { lines.append(line(number, name, state)) }
      before = state
    }
    if let full = catalog[Samples.session] { instance = full }
    guard instance.timeline.rows.count == rowCount, instance.timeline.unmadeCount == 0 else {
      throw BenchmarkFailure("\(instance.timeline.rows.count) of \(rowCount) rows are there")
    }
  }

  private func record(_ number: UInt64, _ name: String, _ state: [UInt8]) -> Record {
    let type = "application/json"
    let delta =
      number == 1
      ? nil
      : Delta.between(
        before, state, baseRecord: SequenceNumber(number - 1), sizeMax: state.count / 2)
    let form = delta.map { RecordState.delta(Content(type: type, bytes: $0.encoded())) }
    return Record(
      sequence: SequenceNumber(number), kind: .action, wallTime: Int64(number) * 1_000_000,
      uptime: number * 1_000_000, name: name, source: "Shop/Main.swift:42",
      state: form ?? .keyframe(Content(type: type, bytes: state)))
  }

  private func line(_ number: UInt64, _ name: String, _ state: [UInt8]) -> [UInt8] {
    Array(#"{"row":\#(number),"name":"\#(name)","state":"#.utf8) + state + Array("}\n".utf8)
  }
}

/// Words that each occur in a single state, so that a query can find them.
enum PlantedNote: String, CaseIterable {
  case oldest, middle, newest

  /// By the numbers of their rows.
  static func all(in rowCount: Int) -> [UInt64: PlantedNote] {
    var notes: [UInt64: PlantedNote] = [:]
    notes[UInt64(rowCount / 1_000 + 1)] = .oldest
    notes[UInt64(rowCount / 2)] = .middle
    notes[UInt64(rowCount - rowCount / 1_000)] = .newest
    return notes
  }
}

/// The state of the app, as text in parts.
private struct Shop {
  private var items = (0..<52).map { item($0, price: 10 + $0 % 7) }
  private var sensors = (0..<12).map { sensor($0, value: 20) }
  private var log: [String] = []
  private var user = "ada"

  private static func item(_ index: Int, price: Int) -> String {
    #"{"id":\#(index),"title":"milk, bread and butter","price":\#(price),"done":false,"#
      + #""tags":["a","b"]}"#
  }

  private static func sensor(_ index: Int, value: UInt64) -> String {
    #"{"id":\#(index),"place":"hall \#(index)","value":\#(value)}"#
  }

  mutating func next(_ number: UInt64, _ note: PlantedNote?) -> [UInt8] {
    sensors[Int(number % 12)] = Self.sensor(Int(number % 12), value: 20 + number * 7 % 61)
    if number % 100 == 0 {
      let index = Int(number / 100 % 52)
      items[index] = Self.item(index, price: 10 + Int(number / 100 % 31))
    }
    if number % 200 == 0 {
      log.append(#"{"at":\#(number),"text":"sent"}"#)
      if log.count > 8 { log.removeFirst() }
    }
    if number % 5_000 == 0 { user = "user \(number / 5_000)" }
    return Array(text(number, note?.rawValue ?? "none").utf8)
  }

  private func text(_ number: UInt64, _ note: String) -> String {
    #"{"user":{"name":"\#(user)","mail":"\#(user)@home.example"},"count":\#(number),"#
      + #""note":"\#(note)","route":"/shop/\#(number / 20_000)","#
      + #""items":[\#(items.joined(separator: ","))],"#
      + #""sensors":[\#(sensors.joined(separator: ","))],"log":[\#(log.joined(separator: ","))],"#
      + #""settings":{"theme":{"dark":true,"size":12},"flags":["x","y","z"],"limit":null}}"#
  }
}
