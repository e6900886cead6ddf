import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen

/// The model of the viewer in a terminal: events and the catalog go in, effects come out. What it
/// looks like is said by `DebuggerPicture`. It knows no clock and no terminal.
///
/// Looking moves no app. Only `surf`, `back`, `forward`, `undo`, `load` and what rewrites a history
/// ask anything of one.
package struct Debugger: Sendable {
  /// What does not change while it runs.
  package struct Setting: Equatable, Sendable {
    package var viewerName = ""
    /// As apps know this viewer; nil if that is not known.
    package var viewer: ViewerID?
    package var secondsFromGMT = 0
    /// How wide the terminal draws ambiguous clusters.
    package var textWidth = TextWidth()
    /// Whether the terminal may not draw boxes.
    package var isASCII = false
    /// The app that was asked for; nil for the first, if possible on this machine.
    package var wanted: String?
    /// The network interface on which apps are looked for.
    package var interface = "lo"
    /// The options by which `statesurf` finds the same apps.
    package var reach: [String] = []
    /// The name of this machine; nil if all apps are on it.
    package var host: String?
    /// Whether it is a program's own: no network, and none of the person's settings.
    package var isWithin = false
    /// Whether no app is shown until the person chooses one.
    package var waits = false
    package var personal = PersonalSettings()

    package init() {}
  }

  let setting: Setting
  var size: ScreenSize
  /// The app that is shown.
  var app: SessionID? { didSet { if app != nil { forgotten = nil } } }
  /// The app that was shown, once it is not here any more. No other takes its place unless a person
  /// says so: a key that is on its way would be obeyed by the wrong one.
  private(set) var forgotten: ForgottenApp?
  private var label = ""
  var views: [SessionID: AppView] = [:]
  var pane = Pane.list
  var page = Page.rows
  /// From which level on the log is shown.
  var level = LogLevel.trace
  private var tabs: [Page: DetailTab] = [.logs: .action]
  var tab: DetailTab {
    get { tabs[page] ?? .changes }
    set { tabs[page] = newValue }
  }
  var zoom = Zoom.both
  var times = TimeColumn.clock
  var order: RowList.Order
  var personal: PersonalSettings
  var overlay: Overlay?
  /// Whether clicks and the wheel come here.
  var takesMouse = true
  var notices: [Notice] = []
  var pendingMoves = PendingMoves()
  /// The apps that this viewer drives.
  var wheels: [SessionID: OwnWheel] = [:]
  var queries = QueryHistory()
  var now = Duration.zero
  private var followed: Set<SessionID> = []
  /// Apps that were asked for their values.
  private var asked: Set<SessionID> = []

  package init(_ setting: Setting, size: ScreenSize) {
    self.setting = setting
    self.size = size
    personal = setting.personal
    order = setting.personal.isNewestFirst ? .newestFirst : .oldestFirst
  }

  /// When `time` must come; nil for never.
  package var deadline: Duration? {
    let isSearching = app.flatMap { views[$0] }?.isSearching == true
    let renewals = wheels.values.map(\.renewAt)
    return (notices.map(\.end) + (isSearching ? [now] : []) + renewals).min()
  }

  package mutating func receive(
    _ event: DebuggerEvent, in catalog: Catalog, at now: Duration
  ) -> [DebuggerEffect] {
    self.now = max(self.now, now)
    notices.removeAll { $0.end <= now }
    forgetAbsent(in: catalog)
    let effects = take(event, in: catalog)
    watchWheels(in: catalog)
    return effects + renewWheels(in: catalog) + settle(in: catalog)
  }

  private mutating func take(
    _ event: DebuggerEvent, in catalog: Catalog
  ) -> [DebuggerEffect] {
    switch event {
    case .key(let key): return press(key, in: catalog)
    case .paste(let text, let isCut): return paste(text, isCut: isCut, in: catalog)
    case .found(let session, let path, let size, let beginning):
      take(file: path, size: size, beginning: beginning, for: session, in: catalog)
    case .edited(let session, let state): return take(state, of: session, in: catalog)
    case .names(let names, let typed): take(names: names, of: typed)
    case .pointer(let step): return point(step, in: catalog)
    case .size(let size): self.size = size
    case .rows(let session, let rows):
      guard let timeline = catalog[session]?.timeline else { break }
      views[session]?.add(rows, in: timeline)
      // The answer, which may come first, does not say it.
      if session == app, let caveat = doubt(about: rows.upperBound, in: timeline) {
        tell(caveat, .failed)
      }
      // What Esc puts back knows them, too.
      if session == app, case .prompt(var prompt) = overlay {
        prompt.before.add(rows, in: timeline)
        overlay = .prompt(prompt)
      }
    case .inspected(let inspection):
      views[inspection.request.session]?.take(inspection)
    case .answered(let serial, let answer):
      endScrub(serial)
      return settle(serial, answer, in: catalog)
    case .personal(let personal): take(personal)
    case .told(let text, let isFailure): tell(text, isFailure ? .failed : .done)
    case .news, .time: break
    }
    return []
  }

  mutating func tell(_ text: String, _ tone: Notice.Tone = .note) {
    notices = [Notice(text: text, tone: tone, end: now + Notice.duration)]
  }

  // MARK: Before every event

  /// The catalog had to forget apps: what is known of them would be wrong if they came again.
  private mutating func forgetAbsent(in catalog: Catalog) {
    func isAbsent(_ session: SessionID) -> Bool { catalog[session] == nil }
    for session in views.keys where isAbsent(session) { views[session] = nil }
    for session in wheels.keys where isAbsent(session) { wheels[session] = nil }
    for session in followed where isAbsent(session) { followed.remove(session) }
    for session in asked where isAbsent(session) { asked.remove(session) }
    if let app, isAbsent(app) {
      forgotten = ForgottenApp(session: app, label: label)
      self.app = nil
      tell(whyNoApp, .failed)
    } else if let forgotten, !isAbsent(forgotten.session) {
      app = forgotten.session
    }
  }

  /// Why a command cannot run now, and what helps; nil if it can.
  func refusal(of command: ViewerCommand, met: Set<CommandNeed>) -> String? {
    if app == nil, forgotten != nil, let need = command.unmet(met), need != .statesurf {
      return whyNoApp
    }
    return personal.keys.refusal(of: command, met: met)
  }

  /// Why nothing can be done to an app.
  var whyNoApp: String {
    forgotten.map { "\($0.label) is not here any more" } ?? CommandNeed.app.whyNot
  }

  // MARK: After every event

  private mutating func settle(in catalog: Catalog) -> [DebuggerEffect] {
    chooseApp(in: catalog)
    guard let app, let instance = catalog[app] else { return [] }
    label = instance.label
    var effects: [DebuggerEffect] = []
    if followed.insert(app).inserted { effects.append(.follow(app)) }
    if case .other(let other) = views[app]?.comparison, catalog[other] != nil,
      followed.insert(other).inserted
    {
      effects.append(.follow(other))
    }
    // Taken out, so that its parts are changed in place.
    var view = views.removeValue(forKey: app) ?? AppView(instance.timeline, order: order)
    if page == .values, asked.insert(app).inserted { effects.append(.values(app)) }
    arrange(&view, instance)
    view.filter?.advance(in: instance)
    view.find?.advance(in: instance)
    seek(in: &view, instance.timeline)
    view.selection.settle(in: view.list(of: instance.timeline), height: listHeight)
    let request = view.request(instance, comparedWith: foreignRow(view.comparison, in: catalog))
    if view.detail.want(request), let request { effects.append(.inspect(request)) }
    views[app] = view
    return effects + scrub(instance)
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
    if let app, catalog[app] != nil { return }
    if let wanted = setting.wanted {
      if case .one(let instance) = catalog.find(wanted) { app = instance.session }
    } else if !setting.waits {
      let live = catalog.live
      let own = live.first { !$0.isAway(from: setting.host) }
      app = (own ?? live.first ?? catalog.instances.first)?.session
    }
  }

  /// While a search is typed, the cursor goes to the nearest row found.
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

/// An app that was shown until the catalog had no room for it.
struct ForgottenApp: Equatable, Sendable {
  let session: SessionID
  let label: String
}

extension AppView {
  /// The rows that it shows.
  func list(of timeline: Timeline, looks: LookCount? = nil) -> RowList {
    RowList(timeline, hits: filter?.hits, order: order, looks: looks)
  }

  /// The row under the cursor; nil on a gap or a marker.
  func row(in timeline: Timeline, looks: LookCount? = nil) -> SequenceNumber? {
    switch list(of: timeline, looks: looks).item(at: selection.place) {
    case .row(let row): row.number
    case .initial: 0
    case .gap, .notLoaded, .marker, nil: nil
    }
  }

  /// Whose state the difference is from; nil if that is not known.
  func compared(with row: SequenceNumber, in timeline: Timeline) -> Position? {
    switch comparison {
    case .base where base != nil: base.map(Position.init(wire:))
    case .app: timeline.position
    case .previous, .base, .other: timeline.row(row).flatMap(timeline.parent(of:))
    }
  }

  /// - Parameter foreign: the row of another app to compare with, if there is to be one.
  func request(_ instance: Instance, comparedWith foreign: ForeignRow?) -> InspectionRequest? {
    let timeline = instance.timeline
    guard let number = row(in: timeline), let row = timeline.row(number) else { return nil }
    let base =
      foreign == nil
      ? compared(with: number, in: timeline) : (foreign?.row?.number).map(Position.record)
    let hasBase =
      foreign == nil
      ? base.map(timeline.holdsState(at:)) ?? false : foreign?.row?.holdsState ?? false
    return InspectionRequest(
      session: instance.session, row: number, baseSession: foreign?.session ?? instance.session,
      base: base, hasState: row.holdsState, hasBase: hasBase,
      hasPayload: row.record.payload != nil)
  }
}
