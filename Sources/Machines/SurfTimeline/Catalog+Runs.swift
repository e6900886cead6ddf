import SurfWire

/// What all runs of a program have in common.
package struct Program: Hashable, Sendable {
  package let name: String
  package let host: String
  package let realm: Realm?
}

extension Instance {
  package var program: Program { Program(name: name, host: host, realm: realm) }
}

// A program that starts again is a new run, with a session of its own.
//
// A live run continues a gone run of the same program if the viewer first heard the live one after
// it last heard the gone one. So two runs that were live at the same time never continue each
// other. If several runs could be the next one, none is: the viewer does not guess. It decides when
// a run ends and when a run appears, whichever comes last, because the end of a killed run shows
// only after seconds.
extension Catalog {
  /// The live runs that may be the next one of a run.
  package func successors(of former: Instance) -> [Instance] {
    instances.filter {
      $0.status == .live && $0.firstHeard > former.lastHeard && $0.program == former.program
    }
  }

  /// The newest run that continues a run, directly or through others; nil for none.
  package func newestRun(after session: SessionID) -> Instance? {
    var newest: Instance?
    while let next = self[newest?.session ?? session]?.nextRun.flatMap({ self[$0] }) {
      newest = next
    }
    return newest
  }

  /// For tabs and menus. Live runs come first, the oldest in front: which app answers first is
  /// chance. An app that the viewer hears of later comes last, so that the others stay in place,
  /// but a run takes the place of the one that it continues. Gone runs follow, the last to go
  /// first.
  package var ordered: [Instance] {
    live.sorted { ($0.seat, $0.firstHeard) < ($1.seat, $1.firstHeard) } + gone
  }

  /// The last to go first.
  package var gone: [Instance] {
    instances.filter { $0.status != .live }.sorted { $0.departure > $1.departure }
  }

  /// `Todo restarted · 12 rows of the last run`; nil for a run that continues none.
  package func restartText(of instance: Instance) -> String? {
    instance.timeline.previousRun.map { last in
      let count = self[last]?.timeline.newestNumber
      let rows = count.map { " · \($0) \($0 == 1 ? "row" : "rows") of the last run" }
      return "\(instance.name) restarted" + (rows ?? "; its last run is no longer here")
    }
  }

  /// Call it when a new run has appeared.
  mutating func linkRuns(before new: SessionID) {
    guard let program = self[new]?.program else { return }
    for former in gone.reversed() where former.nextRun == nil && former.program == program {
      linkRun(after: former.session)
    }
  }

  /// Call it when a run has ended.
  mutating func linkRun(after session: SessionID) {
    guard let former = self[session] else { return }
    let next = successors(of: former)
    guard next.count == 1 else { return }
    update(session) { $0.nextRun = next[0].session }
    // Of several runs that ended before it, the last to go is the last run.
    let known = next[0].timeline.previousRun.flatMap { self[$0]?.departure } ?? 0
    guard former.departure > known else { return }
    update(next[0].session) {
      $0.timeline.previousRun = session
      $0.seat = former.seat
    }
  }

  /// Call it when a run is back that seemed to have ended, as after a breakpoint.
  mutating func unlinkRun(_ session: SessionID) {
    update(session) { $0.nextRun = nil }
    for instance in instances where instance.timeline.previousRun == session {
      update(instance.session) { $0.timeline.previousRun = nil }
    }
  }
}
