import SurfQuery
import SurfTimeline
import SurfViewer
import SurfWire

// Moving the cursor. None of this moves an app, but `scrub` may follow the cursor afterwards.
extension Debugger {
  /// The lines of the pane that gets the keys.
  var pageHeight: Int {
    max(1, pane == .list || page == .values ? listHeight : layout.detail.height - 1)
  }

  var layout: ScreenLayout {
    page == .values
      ? ScreenLayout(size, zoom: .list, pane: .list) : ScreenLayout(size, zoom: zoom, pane: pane)
  }

  var listHeight: Int { layout.list.height }

  mutating func step(by count: Int, _ instance: Instance) {
    guard let app, let view = views[app] else { return }
    let timeline = instance.timeline
    let tab = tab
    if page == .values {
      views[app]?.values.change { $0.move(by: count) }
    } else if pane == .detail {
      views[app]?.detail.move(by: count, in: tab)
    } else {
      let isNext = (count > 0) == (view.order == .oldestFirst)
      if canFetch(from: instance), view.waits(toGo: isNext, in: timeline) { return }
      let height = listHeight
      views[app]?.selection.move(by: count, in: view.list(of: timeline), height: height)
    }
  }

  /// Jumps to a row, and clears a filter that hides it. If the row is not in the list, moves to the
  /// nearest place.
  mutating func go(to row: SequenceNumber, _ instance: Instance) {
    rememberPlace()
    show(ListPlace(row), instance)
  }

  /// Goes back to where the cursor jumped from, or forward again.
  mutating func turnJumps(isBack: Bool, _ instance: Instance, in catalog: Catalog) {
    guard let app, var view = views[app] else { return }
    let here = view.selection.place
    let next = isBack ? view.jumps.back(from: here) : view.jumps.forward(from: here)
    guard let next else {
      if isBack, let next = view.openedFrom, catalog.contains(next) { return choose(next) }
      return tell("there is no jump to go \(isBack ? "back" : "forward") to")
    }
    views[app] = view
    show(next, instance)
  }

  private mutating func rememberPlace() {
    guard let app, let place = views[app]?.selection.place else { return }
    views[app]?.jumps.leave(place)
  }

  private mutating func show(_ place: ListPlace, _ instance: Instance) {
    guard let app, var view = views[app] else { return }
    let isThere = RowList(instance.timeline).item(at: place) != nil
    if page == .values || page == .logs && isThere && hides(place, view, instance) {
      page = .rows
      view.turn(to: .rows)
    }
    if isThere, view.arrangement?.contains(place.number) == false {
      view.arrangement = nil
      tell("the order in force is off: row \(place.number) is not in it")
    }
    if isThere, view.filter != nil, hides(place, view, instance) {
      view.filter = nil
      tell("the filter is off: it hid row \(place.number)")
    }
    view.selection.go(to: place, in: view.list(of: instance.timeline), height: listHeight)
    views[app] = view
  }

  private func hides(_ place: ListPlace, _ view: AppView, _ instance: Instance) -> Bool {
    view.list(of: instance.timeline).item(at: place) == nil
  }

  /// With a filter, goes to the first row that passes. From there, to the line above it, if any.
  mutating func goToFirst(_ instance: Instance) {
    rememberPlace()
    guard let app, let view = views[app] else { return }
    let (height, list) = (listHeight, view.list(of: instance.timeline))
    let isThere = list.nearest(to: .initial).map { view.selection.place <= $0 } ?? false
    views[app]?.selection.go(to: isThere ? .restart : .initial, in: list, height: height)
  }

  mutating func followNewest(_ instance: Instance) {
    rememberPlace()
    guard let app, let view = views[app] else { return }
    let height = listHeight
    views[app]?.selection.follow(in: view.list(of: instance.timeline), height: height)
  }

  mutating func toggleFollow(_ instance: Instance) {
    guard let app, let view = views[app] else { return }
    if view.selection.follows {
      views[app]?.selection.hold(in: view.list(of: instance.timeline))
    } else {
      followNewest(instance)
    }
  }

  mutating func turnRowHits(isNext: Bool, _ instance: Instance) {
    let goal: HitHunt.Goal = isNext ? .next : .previous
    guard let app, let view = views[app], view.find != nil, view.hunt?.goal != goal else { return }
    hunt(goal, from: view.selection.place.number, instance)
  }

  mutating func goTo(_ text: String, in instance: Instance) throws(Refusal) {
    guard let address = RowAddress(text) else {
      throw Refusal("'\(text)' is not a row: 12, ~1, app, tip, initial, 12:05:30 or -2s")
    }
    if address == .newest { return followNewest(instance) }
    let here = app.flatMap { views[$0] }?.selection.place.number ?? 0
    let found = address.row(
      in: instance.timeline, from: here, secondsFromGMT: setting.secondsFromGMT)
    guard let found else {
      switch address {
      case .app: throw Refusal("the app is in a state that is in no row")
      case .beforeNewest: throw Refusal("there are not that many rows with a state")
      default: throw Refusal("there is no row yet")
      }
    }
    // Rows that did not arrive are requested again.
    if let app, views[app]?.fetch?.isUnderWay == false { views[app]?.fetch = nil }
    go(to: found, instance)
    let place = app.flatMap { views[$0] }?.selection.place.number
    if place != found, !(canFetch(from: instance) && instance.timeline.isAbsent(found)) {
      tell("there is no row \(found) here: this is the nearest", while: atCursor)
    }
  }
}

extension Debugger {
  /// Adds to the filter that rows named like the one under the cursor are hidden.
  mutating func hideAlike(in catalog: Catalog) {
    guard let app, let timeline = catalog[app]?.timeline, let view = views[app],
      let record = view.row(in: timeline).flatMap({ timeline.row($0) })?.record
    else { return }
    let text = RowSearch.text(view.filter?.text ?? "", hiding: record)
    do throws(QueryError) {
      let search = try filter(text, timeline)
      views[app]?.filter = search
      answers.add(text, to: .query)
      tell(
        personal.keys.text("rows with such a name are hidden", .filter, "shows the filter"),
        while: .filter(app, text))
    } catch {
      tell("no query hides this name: \(error)", .failed)
    }
  }

  /// On the log page, a query for its lines only.
  func filter(_ text: String, _ timeline: Timeline) throws(QueryError) -> RowSearch {
    try RowSearch(
      text, within: page == .logs ? .log(from: level) : nil, in: timeline,
      secondsFromGMT: setting.secondsFromGMT)
  }
}

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
    tell(isOn ? "the app goes where the cursor goes" : "the app stays where it is while you look")
  }

  /// Moves the app to the cursor's row, one request at a time. Skips rows that the cursor passes
  /// meanwhile.
  mutating func scrub(_ instance: Instance) -> [DebuggerEffect] {
    guard let view = views[instance.session], view.scrub.isOn, view.scrub.serial == nil,
      instance.status == .live, instance.heartbeat.acceptsResets,
      let row = view.row(in: instance.timeline),
      let target = instance.timeline.rowInForce(at: row), target != view.scrub.asked
    else { return [] }
    views[instance.session]?.scrub.asked = target
    guard Position(wire: target) != instance.timeline.position else { return [] }
    let effects = move(to: Position(wire: target), instance)
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
