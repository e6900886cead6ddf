import JSONTree
import SurfControl
import SurfTimeline
import SurfViewer
import SurfWire

/// The JSON output of the subcommands: one object per line, with sorted keys. Lines about an
/// instance have `event`, `instance` (32 digits), `app` and `pid`.
enum EventJSON {
  /// `event: "record"`, `row`, `kind`, `name`, `time` and `uptime` in nanoseconds, and if known
  /// `parent`, `source`, `stateSize` and `stateType`.
  ///
  /// `stateGivenUp` is true if the app did not send the state, and `stateUnmade` if it was sent as
  /// a change of one that is not here. `count` is the number of equal
  /// actions in one record. A revision has `revision`. An action that did not grow from the row
  /// before it has `grownFrom`, a row, or null for a state in no row. If a restore led there,
  /// `move` is the number of that restore.
  ///
  /// - Parameter more: further members.
  static func line(
    _ row: Row, of instance: Instance, adding more: JSONObject = [:]
  ) -> [UInt8] {
    let record = row.record
    var members: JSONObject = [
      "row": .number(row.number), "kind": .string(record.kind.text), "name": .string(record.name),
      "time": .number(record.wallTime), "uptime": .number(record.uptime),
    ]
    if let parent = row.parent { members["parent"] = .number(parent) }
    if !record.source.isEmpty { members["source"] = .string(record.source) }
    if let size = row.stateSize { members["stateSize"] = .number(size) }
    if case .whole(let type, _) = row.state { members["stateType"] = .string(type) }
    if case .givenUp = row.state { members["stateGivenUp"] = true }
    if case .unmade = row.state { members["stateUnmade"] = true }
    if record.count > 1 { members["count"] = .number(record.count) }
    if let grownFrom = record.grownFrom {
      members["grownFrom"] = number(grownFrom.origin)
      if !grownFrom.move.isZero { members["move"] = .number(grownFrom.move) }
    }
    members["revision"] = record.revision.map(json)
    return line("record", instance, members.adding(more))
  }

  /// `state` and `payload` if wanted and available, as JSON or else as text.
  static func members(
    _ contents: Set<RowContent>, of row: Row, in timeline: Timeline
  ) -> JSONObject {
    var members = JSONObject()
    if contents.contains(.state) {
      members["state"] = PayloadJSON(timeline.state(of: row.number))?.json
    }
    if contents.contains(.payload) { members["payload"] = PayloadJSON(row.record.payload)?.json }
    return members
  }

  /// `event: "lost"`, or `"dropped"` for rows that this process was too slow to show; `from`, `to`
  /// and `count`.
  static func line(
    _ event: String, _ count: JSON, in range: ClosedRange<SequenceNumber>, of instance: Instance
  ) -> [UInt8] {
    line(
      event, instance,
      ["from": .number(range.lowerBound), "to": .number(range.upperBound), "count": count])
  }

  /// `event: "restored"`, `viewer`, `row` (null for a state in no row), `outcome`, `reason`,
  /// `afterRow`, and `move`, its number among the app's moves. If known also `from`, like `row`.
  static func line(_ marker: Marker, of instance: Instance) -> [UInt8] {
    var members: JSONObject = [
      "viewer": .string(marker.viewerName), "row": number(marker.target),
      "afterRow": .number(marker.afterRow), "move": .number(marker.stamp.moveCount),
    ]
    members["from"] = marker.origin.map(number)
    switch marker.outcome {
    case .applied: members["outcome"] = "applied"
    case .forbidden: members["outcome"] = "forbidden"
    case .busy: members["outcome"] = "busy"
    case .unavailable: members["outcome"] = "unavailable"
    case .mismatch: members["outcome"] = "mismatch"
    case .rejected(let reason):
      members["outcome"] = "rejected"
      members["reason"] = .string(reason)
    }
    return line("restored", instance, members)
  }

  /// `event: "instance"`, `host`, `row`, `newestRow`, `acceptsResets`, `takesCommands`,
  /// `takesActions`, `replays`, `locked`, `paused`, `live`, `statesGivenUp` and `recordsGivenUp`.
  /// `realm`, `version`, `identifier`, `system` and `machine` if the app sends them.
  ///
  /// `leftOut` is a list of rows, or null if it is not known which rows are left out. `driver` is
  /// present while a viewer drives, null if its name is not known. With a key, `standing` is
  /// `sealed`, `open`, or `unproven` for an app that was not asked for proof.
  static func line(_ instance: Instance, event: String = "instance") -> [UInt8] {
    var members: JSONObject = [
      "host": .string(instance.host), "row": number(instance.timeline.position),
      "newestRow": .number(instance.timeline.newestNumber),
      "acceptsResets": .bool(instance.heartbeat.acceptsResets),
      "takesCommands": .bool(instance.heartbeat.control.contains(.takesCommands)),
      "takesActions": .bool(instance.heartbeat.takesActions),
      "replays": .bool(instance.heartbeat.control.contains(.replays)),
      "locked": .bool(instance.heartbeat.control.contains(.locked)),
      "paused": .bool(instance.heartbeat.control.contains(.paused)),
      "live": .bool(instance.status == .live),
      "leftOut": instance.leftOut.map { .array($0.map { .number($0) }) } ?? .null,
      "statesGivenUp": .number(instance.heartbeat.givenUp.states),
      "recordsGivenUp": .number(instance.heartbeat.givenUp.records),
    ]
    members["driver"] = instance.driver.map { $0.name.isEmpty ? .null : .string($0.name) }
    if instance.standing != .plain {
      members["standing"] = .string(instance.standing.rawValue)
    }
    members["realm"] = instance.realm.map { .string($0.name) }
    let introduction = instance.introduction
    for (name, text) in [
      ("version", introduction.version), ("identifier", introduction.identifier),
      ("system", introduction.system), ("machine", introduction.machine),
      ("library", introduction.library),
    ] where !text.isEmpty { members[name] = .string(text) }
    return line(event, instance, members)
  }

  /// `event: "gone"`, `saidGoodbye`, and as in `instance` `newestRow`, `statesGivenUp` and
  /// `recordsGivenUp`. They matter if the records that say the same were lost.
  static func line(gone instance: Instance, saidGoodbye: Bool) -> [UInt8] {
    line(
      "gone", instance,
      [
        "saidGoodbye": .bool(saidGoodbye), "newestRow": .number(instance.timeline.newestNumber),
        "statesGivenUp": .number(instance.heartbeat.givenUp.states),
        "recordsGivenUp": .number(instance.heartbeat.givenUp.records),
      ])
  }

  /// `event: "restarted"`, about the new run; `lastPid`, `lastInstance` and `lastRow`, its newest
  /// row, about the run that it continues.
  static func line(restarted instance: Instance, after last: Instance?) -> [UInt8] {
    var members = JSONObject()
    members["lastPid"] = last.map { .number($0.processID) }
    members["lastInstance"] = last.map { .string($0.id.description) }
    members["lastRow"] = last.map { .number($0.timeline.newestNumber) }
    return line("restarted", instance, members)
  }

  static func object(_ members: JSONObject) -> [UInt8] { bytes(.object(members), .compact) }

  static func line(_ event: String, _ instance: Instance, _ members: JSONObject) -> [UInt8] {
    let common: JSONObject = [
      "event": .string(event), "instance": .string(instance.id.description),
      "app": .string(instance.name), "pid": .number(instance.processID),
    ]
    return object(common.adding(members))
  }

  /// The history after a command (Protocol.md §11.6), without rows and their states.
  private static func json(_ revision: Revision) -> JSON {
    var object = JSONObject()
    object["command"] = .string(revision.command)
    object["viewer"] = .string(revision.viewerName)
    revision.replay.write(into: &object)
    object["locked"] = .bool(revision.isLocked)
    object["paused"] = .bool(revision.isPaused)
    object["oldest"] = revision.staging.map { .number($0.oldest) }
    object["current"] = revision.staging?.current.map { .number($0) }
    let order = StagedOrder(revision)
    object["inForce"] = order.map { .array($0.inForce.map { .number($0) }) }
    object["leftOut"] = order.map { .array($0.leftOut.map { .number($0) }) }
    object["driver"] = revision.driver.map { .string($0.name) }
    return .object(object)
  }

  private static func number(_ position: Position) -> JSON {
    switch position {
    case .initial: 0
    case .record(let sequence): .number(sequence)
    case .elsewhere: .null
    }
  }
}
