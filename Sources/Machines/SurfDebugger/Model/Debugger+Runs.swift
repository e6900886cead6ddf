import SurfTimeline
import SurfViewer
import SurfWire

// Which app is on screen, and how the debugger continues with the next run of a program that starts
// again.
extension Debugger {
  /// Shows the next run of the app on screen as soon as `Catalog` knows it.
  ///
  /// It waits until nothing is open: what is typed there is meant for the run before. It does not
  /// disturb a person who chose a run while its next one was already known.
  mutating func goOn(in catalog: Catalog) {
    guard overlay == nil, let app, let shown = catalog[app] else { return }
    guard let next = catalog.newestRun(after: app) else {
      if restart.awaited == app, shown.status != .live { tellIfSeveral(after: shown, in: catalog) }
      restart.awaited = app
      return
    }
    let isAwaited = restart.awaited == app
    restart.awaited = nil
    if isAwaited { show(next, after: shown, in: catalog) }
  }

  private mutating func show(_ next: Instance, after former: Instance, in catalog: Catalog) {
    let view = views[former.session]
    if views[next.session] == nil {
      views[next.session] = view?.forNextRun(
        next.session, next.timeline, secondsFromGMT: setting.secondsFromGMT)
    }
    app = next.session
    restart.awaited = next.session
    restart.begin(next, at: now)
    var texts = ["\(next.name) restarted: this is \(next.label)"]
    // Another one may have ended after it.
    if let last = next.timeline.previousRun, last != former.session, let run = catalog[last] {
      texts.append("its last run is \(run.label)")
    } else if let other = catalog.gone.first(where: { other in
      other.nextRun == next.session && other.session != former.session
    }) {
      texts.append("or it may be the next run of \(other.label), which also ended")
    }
    let factCount = texts.count
    if view?.scrub.isOn == true { texts.append("auto-apply is off") }
    if wheels[former.session] != nil { texts.append("you do not drive it") }
    // A key that came too late has just been refused, and its answer must not get lost.
    if let refusal = notices.last, refusal.tone == .failed, refusal.end == now + Notice.duration {
      texts.insert(refusal.text, at: 0)
    }
    tell(texts.joined(separator: " · "), texts.count > factCount ? .failed : .done)
  }

  /// Nobody knows which of several new runs is the next one of the app on screen.
  private mutating func tellIfSeveral(after former: Instance, in catalog: Catalog) {
    let count = catalog.successors(of: former).count
    guard count > 1, restart.several != former.session else { return }
    restart.several = former.session
    tell(
      personal.keys.text(
        "\(former.label) ended, and \(count) new runs of \(former.name) are here", .nextApp,
        "leads to them"))
  }

  /// What the row of a restart says of the run before, if that is still here.
  mutating func showLastRun(of instance: Instance, in catalog: Catalog) {
    guard let last = instance.timeline.previousRun, catalog.contains(last) else {
      return tell("the last run of \(instance.name) is no longer here", .failed)
    }
    let openedFrom = views[instance.session]?.openedFrom
    choose(last)
    // The way back leads through all runs that were opened like this.
    views[instance.session]?.openedFrom = openedFrom
    let timeline = catalog[last]?.timeline ?? Timeline()
    // Its earlier jumps would come before the way back.
    views[last, default: AppView(timeline, order: order)].jumps = JumpList()
    views[last]?.openedFrom = instance.session
    tell(
      personal.keys.text(
        "this is the last run of \(instance.name)", separator: " · ", .jumpBack, "leads back"),
      while: atCursor)
  }

  /// Shows the app that the person chose, even if its next run is known.
  mutating func choose(_ session: SessionID) {
    if session != app {
      if let app { views[app]?.openedFrom = nil }
      // The notices are about the other app.
      notices = []
    }
    app = session
    restart.awaited = nil
  }

  mutating func turnApp(by count: Int, in catalog: Catalog) {
    let sessions = catalog.ordered.map(\.session)
    let index = sessions.firstIndex { $0 == app } ?? (count > 0 ? -1 : 0)
    choose(sessions[(index + count + sessions.count) % sessions.count])
  }
}

/// Lets the debugger continue with an app's next run, and keeps keys that were meant for the last
/// run from it.
struct RestartWatch: Sendable {
  /// The app on screen, as long as it has no next run.
  var awaited: SessionID?
  /// The app whose several possible next runs were reported to the person.
  var several: SessionID?
  /// The new run, and until when keys may be meant for the last one.
  private var doubtful: (name: String, end: Duration)?

  /// Longer than a person takes to see that the app is another one.
  private static let reaction = Duration.seconds(1)
  /// Keys with shorter pauses may belong to what the person began before the change.
  private static let pause = Duration.milliseconds(500)

  mutating func begin(_ instance: Instance, at now: Duration) {
    doubtful = (instance.name, now + Self.reaction)
  }

  /// Prolongs the doubt while keys arrive without a pause.
  mutating func notice(_ event: DebuggerEvent, at now: Duration) {
    guard let end = doubtful?.end else { return }
    guard now < end else {
      doubtful = nil
      return
    }
    switch event {
    case .key, .paste, .pointer: doubtful?.end = max(end, now + Self.pause)
    default: break
    }
  }

  /// Why a key must not change the app now; nil if it may.
  func doubt(at now: Duration) -> String? {
    guard let doubtful, now < doubtful.end else { return nil }
    return "not done, because \(doubtful.name) restarted just now; again does it to the new run"
  }
}
