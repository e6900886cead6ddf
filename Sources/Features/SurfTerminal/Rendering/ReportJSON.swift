import JSONTree
import SurfTimeline
import SurfViewer
import SurfWire

/// The lines of `report --json`.
enum ReportJSON {
  /// A `tally` for each name, a `sequence` for each odd one, and last what was looked at.
  static func lines(_ report: HistoryReport, of instance: Instance) -> [[UInt8]] {
    report.tallies.map { EventJSON.line("tally", instance, members($0)) }
      + report.sequences.map { EventJSON.line("sequence", instance, members($0)) }
      + [
        EventJSON.line(
          "report", instance,
          ["rows": .number(report.rowCount), "missing": .number(report.missingCount)])
      ]
  }

  /// `name`, `count`, `unchanged`, `unknown`, `errors`, `growth` and `payloadSize` in octets; and
  /// `interval`, the median time since the row before, in nanoseconds, if there is one.
  private static func members(_ tally: ActionTally) -> JSONObject {
    var members: JSONObject = [
      "name": .string(tally.name), "count": .number(tally.count),
      "unchanged": .number(tally.unchangedCount), "unknown": .number(tally.unknownCount),
      "errors": .number(tally.errorCount), "growth": .number(tally.growth),
      "payloadSize": .number(tally.payloadSize),
    ]
    members["interval"] = tally.medianInterval.map { .number($0) }
    return members
  }

  /// `kind`, the `actions` in turn, how many `runs`, `unchanged` in all runs; of the longest run
  /// `count`, `from` and `to`.
  private static func members(_ tally: SequenceTally) -> JSONObject {
    let kind: JSON =
      switch tally.sequence {
      case .repetition: "repetition"
      case .oscillation: "oscillation"
      }
    return [
      "kind": kind, "actions": .array(tally.sequence.actions.map(action)),
      "runs": .number(tally.runCount), "unchanged": .number(tally.unchangedCount),
      "count": .number(tally.longest.count),
      "from": .number(tally.longest.rows.lowerBound), "to": .number(tally.longest.rows.upperBound),
    ]
  }

  /// `name`, and `payload` if there is one.
  private static func action(_ action: ActionIdentity) -> JSON {
    var object = JSONObject()
    object["name"] = .string(action.name)
    object["payload"] = PayloadJSON(action.payload)?.json
    return .object(object)
  }
}
