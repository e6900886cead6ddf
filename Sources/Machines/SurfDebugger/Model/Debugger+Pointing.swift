import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen

/// The effect of a click on part of the picture.
enum ClickTarget {
  case command(ViewerCommand)
  case app(SessionID)
  case tab(DetailTab)
  /// `column` is where the strip begins on the screen.
  case strip(Sparkline, column: Int)
}

extension Debugger {
  mutating func point(_ step: PointerStep, in catalog: Catalog) -> [DebuggerEffect] {
    if overlay != nil || isBlind { return [] }
    if let app { views[app]?.hunt = nil }
    switch step {
    case .scroll(let count, let place):
      guard let app, let instance = catalog[app] else { break }
      pane = layout.detail.contains(place) ? .detail : .list
      self.step(by: count, instance)
    case .press(let place):
      if let target = DebuggerPicture.target(at: place, of: self, in: catalog) {
        return click(target, at: place, in: catalog)
      }
      press(place, in: catalog)
    }
    return []
  }

  private mutating func click(
    _ target: ClickTarget, at place: ScreenPlace, in catalog: Catalog
  ) -> [DebuggerEffect] {
    switch target {
    case .command(let command): return run(command, in: catalog)
    case .app(let session): choose(session)
    case .tab(let tab): self.tab = tab
    case .strip(let strip, let column):
      guard let app, let instance = catalog[app],
        let row = strip.row(in: place.column - column, of: instance.timeline)
      else { break }
      go(to: row, instance)
    }
    return []
  }

  /// Selects the pane, and the row if there is one.
  private mutating func press(_ place: ScreenPlace, in catalog: Catalog) {
    guard let app, let view = views[app], let instance = catalog[app] else { return }
    if layout.detail.contains(place) { pane = .detail }
    guard layout.list.contains(place), page != .values else { return }
    pane = .list
    let list = view.list(of: instance.timeline)
    let window = list.window(
      around: view.selection.place, line: view.selection.line, height: listHeight)
    let line = place.row - layout.list.row
    guard window.places.indices.contains(line) else { return }
    step(by: line - window.line, instance)
  }
}
