import SurfTimeline
import SurfViewer
import SurfWire

// Moving along the branches beside the list, and hiding rows.
extension Debugger {
  mutating func branch(_ command: ViewerCommand, _ instance: Instance) {
    guard let app, let view = views[app] else { return }
    let timeline = instance.timeline
    let row = view.selection.place.number
    switch command {
    case .origin:
      guard let origin = view.branches.shownOrigin(of: row, in: timeline) else {
        return tell("what row \(row) grew from is not known here", while: atCursor)
      }
      go(to: origin, instance)
    case .future:
      let futures = view.branches.shownFutures(of: row, in: timeline)
      guard let next = futures.first else {
        return tell("no row grew from row \(row)", while: atCursor)
      }
      go(to: next, instance)
      if futures.count > 1 { tellFuture(1, of: futures.count, from: row) }
    default:
      guard let fork = view.branches.shownFork(around: row, in: timeline) else {
        return tell("no known fork is before row \(row)", while: atCursor)
      }
      let next = (fork.index + 1) % fork.futures.count
      go(to: fork.futures[next], instance)
      tellFuture(next + 1, of: fork.futures.count, from: fork.row)
    }
  }

  private mutating func tellFuture(_ number: Int, of count: Int, from row: SequenceNumber) {
    let text = "\(number) of \(count) rows that grew from row \(row)"
    tell(personal.keys.text(text, separator: " · ", .otherFuture, "next"), while: atCursor)
  }

  mutating func hide(_ command: ViewerCommand, in catalog: Catalog) -> [DebuggerEffect] {
    guard let app, let instance = catalog[app] else { return [] }
    let timeline = instance.timeline
    guard command == .hide else {
      let count = timeline.hiddenCount
      tell("\(count) \(count == 1 ? "row is" : "rows are") shown again", .done)
      pendingMoves.forgetDeletions(app)
      return [.showHidden(app)]
    }
    guard let row = views[app]?.row(in: timeline) else { return [] }
    let title = "row \(row) is deleted from this view only"
    tell(personal.keys.text(title, separator: " · ", .undo, "undoes"), .done)
    var effects = [DebuggerEffect.hide(app, row)]
    // As in Historian: if the app is in the hidden state, move it out.
    if timeline.position == .record(row), met(in: catalog).isSuperset(of: [.liveApp, .restores]),
      let target = timeline.back(skipsHoles: true).target
    {
      effects += move(to: target, instance, title: title, undo: .show(row, movesApp: true))
    }
    if effects.count == 1 { pendingMoves.push(.show(row, movesApp: false), of: app) }
    return effects
  }
}
