import SurfTimeline
import SurfWire
import TestSupport

/// Bytes of a state with a given size.
func content(_ size: Int) -> Content {
  Content(type: "application/json", bytes: Array(repeating: 0x20, count: size))
}

/// Bytes that have nothing in common with those of another number.
func unrelated(_ number: UInt64, _ size: Int) -> Content {
  var random = SeededGenerator(seed: number)
  var bytes: [UInt8] = []
  while bytes.count < size {
    withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) }
  }
  return Content(type: "application/octet-stream", bytes: Array(bytes.prefix(size)))
}

func action(_ sequence: SequenceNumber, _ state: Content) -> Record {
  Record(sequence: sequence, kind: .action, name: "", state: .keyframe(state))
}

func action(_ sequence: SequenceNumber, parent: SequenceNumber = 0, size: Int = 2) -> Record {
  Record(
    sequence: sequence, kind: .action, parent: parent, name: "action \(sequence)",
    state: .keyframe(content(size)))
}

func log(_ sequence: SequenceNumber) -> Record {
  Record(sequence: sequence, kind: .log(.info), name: "log \(sequence)")
}

func heartbeat(
  app: String = "PrimeTime", pid: UInt32 = 123, id: UInt64 = 0xCAFE, newest: SequenceNumber = 0,
  position: Position = .initial, moves: WireCount = 0, host: String = "ada"
) -> Heartbeat {
  Heartbeat(
    instance: InstanceID(high: id << 48, low: 1), app: app, host: host, processID: pid,
    contentType: "application/json", acceptsResets: true, datagramSize: 1_344,
    progress: StreamProgress(newestRecord: newest), position: position,
    stamp: PositionStamp(newestRecord: newest, moveCount: moves))
}

func restored(
  to position: Position, newest: SequenceNumber, request: UInt64 = 1, moves: WireCount = 1,
  outcome: Outcome.Result = .applied
) -> Restored {
  Restored(
    request: request, viewer: ViewerID(rawValue: 9), viewerName: "ada@host", position: position,
    newestRecord: newest, moveCount: moves, outcome: outcome)
}

func timeline(_ records: [Record], bounds: Timeline.Bounds = Timeline.Bounds()) -> Timeline {
  var timeline = Timeline(bounds: bounds)
  for record in records { timeline.append(record) }
  return timeline
}

/// A list of rows in short: `0 1 2 [3-5 lost] [6-6 ?] 7 <ada@host>`.
func sketch(_ timeline: Timeline) -> String {
  timeline.items.map { item in
    switch item {
    case .initial: "0"
    case .row(let row): "\(row.number)"
    case .gap(let range): "[\(range.lowerBound)-\(range.upperBound) lost]"
    case .restarted: "restarted"
    case .notLoaded(let range): "[\(range.lowerBound)-\(range.upperBound) ?]"
    case .marker(let marker): "<\(marker.viewerName)>"
    }
  }.joined(separator: " ")
}
