import SurfTimeline
import SurfViewer
import SurfWire

/// Whether an app goes where the cursor goes.
struct Scrub: Equatable, Sendable {
  var isOn = false
  /// The row that it was asked to be at last: a refusal is not asked again.
  var asked: SequenceNumber?
  /// Of the request that is not answered.
  var serial: Int?
}

extension Debugger {
  mutating func toggleScrub(_ app: SessionID) {
    let isOn = views[app]?.scrub.isOn != true
    views[app]?.scrub = Scrub(isOn: isOn)
    tell(isOn ? "the app goes where the cursor goes" : "looking moves no app")
  }

  /// One request at a time: rows that the cursor passes meanwhile are left out.
  mutating func scrub(_ instance: Instance) -> [DebuggerEffect] {
    guard let view = views[instance.session], view.scrub.isOn, view.scrub.serial == nil,
      instance.status == .live, instance.heartbeat.acceptsResets,
      let row = view.row(in: instance.timeline), row != view.scrub.asked,
      row == 0 || instance.timeline.row(row)?.isTarget == true
    else { return [] }
    views[instance.session]?.scrub.asked = row
    guard Position(wire: row) != instance.timeline.position else { return [] }
    let effects = move(to: Position(wire: row), instance)
    if case .move(_, _, let serial)? = effects.first {
      views[instance.session]?.scrub.serial = serial
    }
    return effects
  }

  mutating func endScrub(_ serial: Int) {
    for app in views.keys where views[app]?.scrub.serial == serial {
      views[app]?.scrub.serial = nil
    }
  }
}
