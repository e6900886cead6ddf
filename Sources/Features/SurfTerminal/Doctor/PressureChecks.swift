import JSONTree
import SurfObserver
import SurfTimeline
import SurfViewer
import SurfWire

/// `doctor`'s checks for overload: what apps gave up, what this viewer lost, and what overflowed.
struct PressureChecks {
  /// What each app had given up when the doctor first heard it. Only more than that is a present
  /// fault.
  private var givenUpBefore: [SessionID: Heartbeat.GivenUp] = [:]
  private var recordCount: WireCount = 0

  mutating func receive(_ change: CatalogChange, in catalog: Catalog) {
    switch change {
    case .appeared(let session): givenUpBefore[session] = catalog[session]?.heartbeat.givenUp
    case .rows(_, let rows): recordCount.add(rows.length)
    default: break
    }
  }

  func all(_ live: [Instance], _ counters: ViewerCounters) -> [DoctorCheck] {
    let busy = live.filter { !$0.heartbeat.givenUp.isNothing }
    let apps =
      busy.isEmpty
      ? [DoctorCheck("given up", isFine: true, "nothing, by any app")] : busy.map(givenUp)
    return apps + [records(counters), overflows(counters)]
  }

  private func givenUp(_ app: Instance) -> DoctorCheck {
    let count = app.heartbeat.givenUp
    let isGoingOn = givenUpBefore[app.session] != count
    let when =
      isGoingOn
      ? "it records faster than the network or a viewer's machine can take"
      : "since it started, but nothing during this check"
    return DoctorCheck(
      "given up", isFine: !isGoingOn, "\(count.text) by \(app.label): \(when)",
      fix: isGoingOn
        ? "record less often or smaller states, end slow viewers, or let the app wait: "
          + "whenFull = .wait" : "",
      figures: [
        "instance": .string(app.id.description), "app": .string(app.name),
        "pid": .number(app.processID), "statesGivenUp": .number(count.states),
        "recordsGivenUp": .number(count.records),
      ])
  }

  private func records(_ counters: ViewerCounters) -> DoctorCheck {
    let lost = counters.lost
    return DoctorCheck(
      "records", isFine: lost == 0,
      "\(recordCount) arrived, " + (lost == 0 ? "none lost" : "\(lost) lost: they came too fast"),
      fix: lost == 0
        ? "" : "run fewer programs on this machine, or use a faster network",
      figures: ["records": .number(recordCount), "recordsLost": .number(lost)])
  }

  private func overflows(_ counters: ViewerCounters) -> DoctorCheck {
    let places = counters.overflowPlaces
    return DoctorCheck(
      "overflows", isFine: places.isEmpty,
      places.isEmpty ? "none" : "this viewer is too slow: \(places)",
      fix: places.isEmpty
        ? "" : "raise net.core.rmem_max, or run fewer programs on this machine",
      figures: [
        "socketOverflows": .number(counters.network.socketOverflows),
        "viewerOverflows": .number(counters.overflows),
      ])
  }
}

extension Heartbeat.GivenUp {
  /// `17 states`, `1 record`, or both.
  var text: String {
    let parts = [Self.text(states, "state"), Self.text(records, "record")].compactMap(\.self)
    return parts.isEmpty ? "nothing" : parts.joined(separator: " and ")
  }

  private static func text(_ count: WireCount, _ noun: String) -> String? {
    count == 0 ? nil : countText(count, noun)
  }
}
