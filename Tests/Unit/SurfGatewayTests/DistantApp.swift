import SurfGateway
import SurfObserver
import SurfWire

/// An app at the other end of a network: what it does becomes events, which come when they come.
struct DistantApp {
  let session = SessionID(rawValue: 0x11)
  private(set) var rows: [SequenceNumber] = []
  private(set) var position = Position.initial
  private var stamp = PositionStamp()

  /// The place of a pointer that is right.
  var index: Int {
    switch position {
    case .initial: 0
    case .record(let row): (rows.firstIndex(of: row) ?? 0) + 1
    case .elsewhere: rows.count + 1
    }
  }

  /// The rows of a list that is right: a state in no row has one of its own, behind the others.
  var ids: [SequenceNumber] {
    [0] + rows + (position == .elsewhere ? [(rows.last ?? 0).next] : [])
  }

  /// - Parameter lag: the number of newest records that it has not begun to send.
  func heartbeat(lag: UInt64 = 0) -> ObserverEvent {
    var heartbeat = Bench.heartbeat("Todo")
    (heartbeat.position, heartbeat.stamp) = (position, stamp)
    let newest = stamp.newestRecord.rawValue
    heartbeat.progress.newestRecord = SequenceNumber(newest - min(lag, newest))
    return .heartbeat(session, heartbeat)
  }

  mutating func act() -> ObserverEvent {
    let row = stamp.newestRecord.next
    stamp.newestRecord = row
    position = .record(row)
    rows.append(row)
    let state = Content(type: "application/json", bytes: Array("{\"n\":\(row)}".utf8))
    return .record(
      session, Record(sequence: row, kind: .action, name: "add", state: .keyframe(state)))
  }

  /// Decides about a viewer's request, and tells all viewers.
  mutating func decide(
    on request: UInt64, to target: Position, _ result: Outcome.Result = .applied
  ) -> ObserverEvent {
    stamp.moveCount.add(1)
    if result == .applied { position = target }
    return .restored(
      session,
      Restored(
        request: request, viewer: ViewerID(rawValue: 1), viewerName: "x", position: position,
        newestRecord: stamp.newestRecord, moveCount: stamp.moveCount, outcome: result))
  }
}
