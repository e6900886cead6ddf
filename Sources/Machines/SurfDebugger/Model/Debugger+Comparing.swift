import SurfTimeline
import SurfViewer
import SurfWire

/// The row of another app to compare with.
struct ForeignRow: Sendable {
  let session: SessionID
  /// Nil if the app has no row with a state.
  let row: Row?
  let isNewest: Bool
}

extension Debugger {
  /// The other app's newest state, or the row selected there if its view does not follow.
  func foreignRow(_ comparison: AppView.Comparison, in catalog: Catalog) -> ForeignRow? {
    guard case .other(let session) = comparison else { return nil }
    let timeline = catalog[session]?.timeline
    if let timeline, let view = views[session], !view.selection.follows,
      let row = view.row(in: timeline).flatMap({ timeline.row($0) })
    {
      return ForeignRow(session: session, row: row, isNewest: false)
    }
    let newest = timeline?.target(before: timeline?.newestNumber.next ?? 0, skipsHoles: true)
    let row = newest?.target?.row.flatMap { timeline?.row($0) }
    return ForeignRow(session: session, row: row, isNewest: true)
  }

  mutating func askForOther(in catalog: Catalog) {
    let others = catalog.ordered.filter { $0.session != app }
    // Another instance of the same program first: that is compared most.
    let name = app.flatMap { catalog[$0]?.name }
    let apps = others.filter { $0.name == name } + others.filter { $0.name != name }
    overlay = .menu(
      .comparison(apps.map { Menu.Choice($0, seenFrom: setting.host) }, keys: personal.keys))
  }

  mutating func compare(with other: SessionID) {
    guard let app else { return tell(whyNoApp, .failed, while: .noApp) }
    views[app]?.comparison = .other(other)
    tab = .changes
  }
}
