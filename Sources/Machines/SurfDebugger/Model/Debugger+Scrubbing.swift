import SurfTimeline
import SurfViewer
import SurfWire

/// Auto-apply: whether an app follows the cursor.
struct Scrub: Equatable, Sendable {
  var isOn = false
  /// The row last requested, so that a refused request is not repeated.
  var asked: SequenceNumber?
  /// The pending request's serial.
  var serial: Int?
}

extension Debugger {
  mutating func toggleScrub(_ app: SessionID) {
    let isOn = views[app]?.scrub.isOn != true
    views[app]?.scrub = Scrub(isOn: isOn)
    tell(isOn ? "the app goes where the cursor goes" : "looking moves no app")
  }

  /// Moves the app to the cursor's row, one request at a time. Skips rows that the cursor passes
  /// meanwhile.
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
