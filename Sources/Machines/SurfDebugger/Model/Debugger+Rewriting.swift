import SurfTimeline
import SurfViewer
import SurfWire

// Rewrites that cannot be undone, so the debugger asks first.
extension Debugger {
  mutating func rewrite(_ command: ViewerCommand, in catalog: Catalog) {
    guard let app, let instance = catalog[app] else { return }
    switch command {
    case .commit: ask(.commit, instance)
    case .rollback: ask(.rollback, instance)
    case .sweep: ask(.sweep, instance)
    default:
      guard let row = views[app]?.row(in: instance.timeline) else { return }
      ask(.move(row, isLater: command == .moveLater), instance)
    }
  }

  mutating func replace(by path: String, _ instance: Instance) -> [DebuggerEffect] {
    let request = PendingMoves.Request(
      session: instance.session, title: "imported \(Excerpt.text(path, limit: 80))", origin: nil,
      isUndo: false)
    return [.replace(instance.session, path: path, serial: pendingMoves.add(request))]
  }
}
