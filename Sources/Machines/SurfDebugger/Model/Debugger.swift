import JSONTools
import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen

/// The model of the terminal debugger: `DebuggerRunner` feeds events and the catalog in, and
/// carries out the effects that come out. `DebuggerPicture` draws it. It knows no clock and no
/// terminal.
///
/// Looking does not move an app, unless auto-apply (`scrub`) is on. Hiding the row that the app is
/// at does move it.
package struct Debugger: Sendable {
  /// Fixed while the debugger runs, except for `personal`, which is only the initial value.
  package struct Setting: Equatable, Sendable {
    package var viewerName = ""
    /// This viewer's id as apps know it; nil if unknown.
    package var viewer: ViewerID?
    package var secondsFromGMT = 0
    /// How wide the terminal draws ambiguous characters.
    package var textWidth = TextWidth()
    /// Whether the terminal shows nothing but ASCII.
    package var isASCII = false
    /// Whether the terminal's background is light.
    package var isLight = false
    /// The app to show; nil for the first, preferably on this machine.
    package var wanted: String?
    /// The network interface, for texts.
    package var interface = "lo"
    /// The options that let `statesurf` in a shell find the same apps.
    package var reach: [String] = []
    /// The subcommands of `statesurf`, for the palette.
    package var subcommands: [ShellSubcommand] = []
    /// This machine's name; nil if all apps run on it.
    package var host: String?
    /// Whether it is a program's own debugger, without network and personal settings.
    package var isWithin = false
    /// Whether to send nothing to any app.
    package var observes = false
    /// Whether to show no app until the person chooses one.
    package var waits = false
    package var personal = PersonalSettings()

    package init() {}
  }

  let setting: Setting
  var size: ScreenSize
  /// The app on screen.
  var app: SessionID? { didSet { if app != nil { forgotten = nil } } }
  /// The app that was on screen until the catalog evicted it. Only the person can choose another:
  /// otherwise a key already pressed would go to the wrong app.
  private(set) var forgotten: ForgottenApp?
  private var label = ""
  var restart = RestartWatch()
  private(set) var rates = RowRates()
  var views: [SessionID: AppView] = [:]
  var pane = Pane.list
  var page = Page.rows
  /// The lowest level that the log page shows.
  var level = LogLevel.trace
  private var tabs: [Page: DetailTab] = [.logs: .action]
  var tab: DetailTab {
    get { tabs[page] ?? .changes }
    set { tabs[page] = newValue }
  }
  var zoom = Zoom.both
  /// Whether long lines of the detail pane are wrapped; otherwise they are cut.
  var wraps = false
  var times = TimeColumn.clock
  /// The places that a person watches, by the apps' names: they stay for the next run.
  var watched: [String: [JSONPath]] = [:]
  var order: RowList.Order
  var personal: PersonalSettings
  var overlay: Overlay?
  /// Whether the debugger, not the terminal, gets clicks and the scroll wheel.
  var takesMouse = true
  var notices: [Notice] = []
  var pendingMoves = PendingMoves()
  var wheels: [SessionID: OwnWheel] = [:]
  /// The apps that this viewer has locked.
  var ownLocks: Set<SessionID> = []
  var answers = PromptHistory()
  /// Counts what the person has done, for answers that may come too late.
  private(set) var inputCount = 0
  /// The commands chosen from the palette or the help, the latest first.
  var recent: [ViewerCommand] = []
  var now = Duration.zero
  private(set) var followed: Set<SessionID> = []
  /// Apps whose whole history has arrived, as far as they still have it.
  var caughtUp: Set<SessionID> = []
  /// Apps whose values were requested.
  private var asked: Set<SessionID> = []
  /// Apps whose initial state was requested, and until when a search waits for the answer.
  private var described: [SessionID: Duration] = [:]
  /// When to ask the app on screen for it.
  private var describeAt: Duration?
  /// Until when an app may still answer that is older than the one on screen.
  private var openingEnd: Duration?
  /// How long to wait before asking for it: the app may have just begun, and its answer is a row,
  /// which would precede its other rows.
  private static let describePause = Duration.seconds(1)
  /// An app that is stopped may never answer.
  private static let describePatience = Duration.seconds(2)

  package init(_ setting: Setting, size: ScreenSize) {
    self.setting = setting
    self.size = size
    personal = setting.personal
    order = setting.personal.isNewestFirst ? .newestFirst : .oldestFirst
  }

  /// When the debugger needs a `time` event; nil for never.
  package var deadline: Duration? {
    let view = app.flatMap { views[$0] }
    let renewals = wheels.values.map(\.renewAt)
    let times = notices.map(\.end) + (view?.isSearching == true ? [now] : []) + renewals + rateTimes
    let rest = [describeAt, describeEnd, view?.fetch?.deadline, pendingMoves.patienceEnd]
    return ([times.min()] + rest).compactMap(\.self).min()
  }

  /// When a search no longer waits for the initial state.
  private var describeEnd: Duration? {
    guard let app, views[app]?.hunt != nil, let end = described[app], now < end else { return nil }
    return end
  }

  /// When to redraw the rates of the app table.
  private var rateTimes: [Duration] {
    guard case .apps = overlay, rates.isRunning(at: now) else { return [] }
    return [now + .milliseconds(500)]
  }

  package mutating func receive(
    _ event: DebuggerEvent, in catalog: Catalog, at now: Duration
  ) -> [DebuggerEffect] {
    self.now = max(self.now, now)
    notices.removeAll { $0.end <= now }
    forgetAbsent(in: catalog)
    rates.note(catalog, at: self.now)
    restart.notice(event, at: self.now)
    let effects = take(event, in: catalog)
    watchWheels(in: catalog)
    reportSlowApps(in: catalog)
    let more = renewWheels(in: catalog) + settle(in: catalog, searches: !event.followsAtOnce)
    dropStaleNotices(in: catalog)
    return effects + more
  }

  private mutating func take(
    _ event: DebuggerEvent, in catalog: Catalog
  ) -> [DebuggerEffect] {
    switch event {
    case .key(let key):
      inputCount += 1
      return press(key, in: catalog)
    case .paste(let text, let isCut):
      inputCount += 1
      return paste(text, isCut: isCut, in: catalog)
    case .found(let session, let path, let size, let beginning, let serial):
      take(file: path, size, beginning, for: session, serial, in: catalog)
    case .edited(let session, let state): return take(state, of: session, in: catalog)
    case .names(let names, let typed): take(names: names, of: typed, in: catalog)
    case .pointer(let step):
      inputCount += 1
      return point(step, in: catalog)
    case .size(let size): self.size = size
    case .caughtUp(let session): caughtUp.insert(session)
    case .rows(let session, let rows):
      guard let timeline = catalog[session]?.timeline else { break }
      views[session]?.add(rows, in: timeline)
      // The answer, which may arrive first, does not carry this.
      if session == app, let caveat = doubt(about: rows.upperBound, in: timeline) {
        tell(caveat, .failed)
      }
      // Keep the view that Esc restores up to date.
      if session == app, case .prompt(var prompt) = overlay {
        prompt.before.add(rows, in: timeline)
        overlay = .prompt(prompt)
        if timeline.reportsInitialState(in: rows) { offerActions(in: catalog) }
      }
    case .inspected(let inspection):
      views[inspection.request.session]?.take(inspection)
    case .watched(let rows):
      for row in rows { views[row.session]?.watched.take(row) }
    case .answered(let serial, let answer):
      endScrub(serial)
      return settle(serial, answer, in: catalog)
    case .filed(let serial, let answer): settle(serial, answer, in: catalog)
    case .personal(let personal): take(personal)
    case .told(let text, let isFailure): tell(text, isFailure ? .failed : .done)
    case .news, .time: break
    }
    return []
  }

  // MARK: Before every event

  /// Forgets apps that the catalog has evicted. If one came back, the debugger's facts about it
  /// would be wrong.
  private mutating func forgetAbsent(in catalog: Catalog) {
    func isAbsent(_ session: SessionID) -> Bool { !catalog.contains(session) }
    for session in views.keys where isAbsent(session) { views[session] = nil }
    for session in rates.sessions where isAbsent(session) { rates.forget(session) }
    for session in wheels.keys where isAbsent(session) { wheels[session] = nil }
    func forget(_ sessions: inout Set<SessionID>) {
      for session in sessions where isAbsent(session) { sessions.remove(session) }
    }
    forget(&followed)
    forget(&caughtUp)
    forget(&asked)
    described = described.filter { !isAbsent($0.key) }
    forget(&ownLocks)
    if let app, isAbsent(app) {
      forgotten = ForgottenApp(session: app, label: label)
      self.app = nil
      tell(whyNoApp, .failed, while: .noApp)
    } else if let forgotten, !isAbsent(forgotten.session) {
      app = forgotten.session
    }
  }

  func refusal(of command: ViewerCommand, met: Set<CommandNeed>) -> String? {
    if app == nil, forgotten != nil, let need = command.unmet(met), need != .statesurf {
      return whyNoApp
    }
    return personal.keys.refusal(of: command, met: met)
  }

  /// Why there is no app to act on.
  var whyNoApp: String {
    forgotten.map { "\($0.label) is no longer here" } ?? CommandNeed.app.whyNot
  }

  // MARK: After every event

  /// - Parameter searches: whether searches of rows advance by a slice.
  private mutating func settle(in catalog: Catalog, searches: Bool) -> [DebuggerEffect] {
    describeAt = nil
    chooseApp(in: catalog)
    goOn(in: catalog)
    guard let app, let instance = catalog[app] else { return [] }
    label = instance.label
    var effects: [DebuggerEffect] = []
    if followed.insert(app).inserted { effects.append(.follow(app)) }
    if case .other(let other) = views[app]?.comparison, catalog.contains(other),
      followed.insert(other).inserted
    {
      effects.append(.follow(other))
    }
    // Removed while it changes, to avoid a copy.
    var view = views.removeValue(forKey: app) ?? AppView(instance.timeline, order: order)
    if page == .values, asked.insert(app).inserted { effects.append(.values(app)) }
    arrange(&view, instance)
    if searches {
      view.filter?.advance(in: instance)
      view.find?.advance(in: instance)
    }
    seek(in: &view, instance.timeline)
    if view.detail.advanceSearch(in: tab) { view.detail.shift = shiftToHit(in: view.detail) }
    view.selection.settle(in: view.list(of: instance.timeline), height: listHeight)
    effects += fetch(for: &view, instance)
    let request = view.request(instance, comparedWith: foreignRow(view.comparison, in: catalog))
    if view.detail.want(request), let request { effects.append(.inspect(request)) }
    if wantsInitialState(&view, instance) {
      described[app] = now + Self.describePatience
      effects.append(.describe(app))
    }
    if let request = wantWatched(by: &view, instance) { effects.append(.watch(request)) }
    views[app] = view
    if goOnHunting(instance) { return effects + settle(in: catalog, searches: false) }
    return effects + scrub(instance)
  }

  private mutating func wantsInitialState(_ view: inout AppView, _ instance: Instance) -> Bool {
    guard lacksInitialState(view, instance) else { return false }
    let missedSince = view.missedSince ?? now
    view.missedSince = missedSince
    // A person who is asked for an action, or wants a hit, waits for the answer.
    let isWaiting = isAskingForAction || view.hunt != nil
    if isWaiting || now >= missedSince + Self.describePause { return true }
    describeAt = missedSince + Self.describePause
    return false
  }

  /// Whether the cursor or a search needs the initial state, and all rows are here and none carries
  /// it. The answer also names the app's actions, which a prompt for one needs. It costs the app a
  /// row, so the debugger asks only then. A program's own debugger never asks.
  private func lacksInitialState(_ view: AppView, _ instance: Instance) -> Bool {
    let timeline = instance.timeline
    guard described[instance.session] == nil, !setting.observes, !setting.isWithin,
      instance.status == .live,
      instance.heartbeat.control.contains(.takesCommands),
      !timeline.reportsInitialState(in: 1...(.max))
    else { return false }
    if isAskingForAction, caughtUp.contains(instance.session) { return true }
    guard page == .rows, timeline.isWhole else { return false }
    if view.find?.needsInitialState == true || view.filter?.needsInitialState == true {
      return true
    }
    guard let row = view.shownRow(in: timeline) else { return false }
    return row == 0 || view.compared(with: row, in: timeline) == .initial
  }

  /// Whether a search could not decide about all rows without the initial state, and that may come.
  func awaitsInitialState(_ view: AppView, _ instance: Instance) -> Bool {
    guard view.find?.needsInitialState == true else { return false }
    return described[instance.session].map { now < $0 } ?? lacksInitialState(view, instance)
  }

  private func arrange(_ view: inout AppView, _ instance: Instance) {
    view.turn(to: page)
    switch page {
    case .rows: break
    case .logs:
      view.filterLog(
        from: level, in: instance.timeline, secondsFromGMT: setting.secondsFromGMT)
    case .values: view.values.take(instance.values)
    }
  }

  private mutating func chooseApp(in catalog: Catalog) {
    if forgotten != nil { return }
    // Until all have answered, and unless the person has begun, another app may be the first one.
    if openingEnd == nil, catalog.isOpening { openingEnd = now + Catalog.answering }
    let mayChange =
      setting.wanted == nil && inputCount == 0 && openingEnd.map { now < $0 } == true
    if let app, let instance = catalog[app], !mayChange || instance.status != .live { return }
    if let wanted = setting.wanted {
      if case .one(let instance) = catalog.find(wanted) { app = instance.session }
    } else if !setting.waits {
      let apps = catalog.ordered
      let own = apps.first { $0.status == .live && !$0.isAway(from: setting.host) }
      app = (own ?? apps.first)?.session
    }
  }

  /// While a search is typed, moves the cursor to the nearest hit.
  private func seek(in view: inout AppView, _ timeline: Timeline) {
    guard case .prompt(let prompt) = overlay, prompt.question == .find,
      let hits = view.find?.hits
    else { return }
    let origin = prompt.before.selection.place.number
    let next = hits.first { $0 >= origin && !timeline.isHidden($0) }
    guard let target = next ?? hits.last(where: { !timeline.isHidden($0) }) else { return }
    guard view.selection.place.number != target else { return }
    view.selection.go(
      to: ListPlace(target), in: view.list(of: timeline), height: listHeight)
  }
}

/// The app that was on screen when the catalog evicted it.
struct ForgottenApp: Equatable, Sendable {
  let session: SessionID
  let label: String
}

extension AppView {
  func list(of timeline: Timeline, looks: LookCount? = nil) -> RowList {
    RowList(
      timeline, hits: filter?.hits, arrangement: page == .rows ? arrangement : nil, order: order,
      looks: looks)
  }

  /// The row under the cursor; nil on a gap or a marker.
  func row(in timeline: Timeline, looks: LookCount? = nil) -> SequenceNumber? {
    switch list(of: timeline, looks: looks).item(at: selection.place) {
    case .row(let row): row.number
    case .initial: 0
    case .restarted, .gap, .notLoaded, .marker, nil: nil
    }
  }

  /// The moves of the app under the cursor, in order; none on a row, or if the app refused.
  func moves(in timeline: Timeline) -> [Marker] {
    guard selection.place.marker != nil else { return [] }
    return list(of: timeline).moves(at: selection.place).filter { $0.outcome == .applied }
  }

  /// The row whose state is shown: the one under the cursor, or where the move under it led.
  func shownRow(in timeline: Timeline) -> SequenceNumber? {
    row(in: timeline) ?? moves(in: timeline).last?.target.row
  }

  /// The position to compare with, in the same app; nil if unknown.
  func compared(with row: SequenceNumber, in timeline: Timeline) -> Position? {
    switch comparison {
    case .base where base != nil: base.map(Position.init(wire:))
    case .app: timeline.position
    case .previous, .base, .other: timeline.row(row).flatMap(timeline.parent(of:))
    }
  }

  /// - Parameter foreign: the row of another app to compare with, if any.
  func request(_ instance: Instance, comparedWith foreign: ForeignRow?) -> InspectionRequest? {
    let timeline = instance.timeline
    guard let number = shownRow(in: timeline) else { return nil }
    let moves = moves(in: timeline)
    let row = timeline.row(number)
    let target = Position(wire: number)
    guard row != nil || number == 0 && timeline.holdsState(at: target) else { return nil }
    let state = row.map(timeline.inForce) ?? target
    let isJump = comparison == .previous && !moves.isEmpty
    let own = isJump ? moves.first?.origin : compared(with: number, in: timeline)
    let base = foreign == nil ? own : (foreign?.row?.number).map(Position.record)
    let hasBase =
      foreign == nil
      ? base.map(timeline.holdsState(at:)) ?? false : foreign?.row?.holdsState ?? false
    return InspectionRequest(
      session: instance.session, row: number, baseSession: foreign?.session ?? instance.session,
      base: base, state: state, hasState: state.map(timeline.holdsState) ?? false,
      hasBase: hasBase,
      hasPayload: row?.record.payload != nil)
  }
}
