import SurfTimeline
import SurfWire

extension Marker {
  package var who: String { viewerName.isEmpty ? "somebody" : viewerName }

  /// ` from row 3 to row 1`.
  package var way: String {
    if origin == target { return " to \(positionText(target)), where it was" }
    let origin = origin.map { " from \(positionText($0))" } ?? ""
    return "\(origin) to \(positionText(target))"
  }

  /// `⤺ ada@host moved PrimeTime#123 from row 5 to row 3`, or why the app did not move.
  package func text(of app: String) -> String {
    switch outcome {
    case .applied: "⤺ \(who) moved \(app)\(way)"
    case .rejected(let reason): "⤺ \(app) refused a state of \(who): \(reason)"
    case .forbidden: "⤺ \(app) takes no states: \(who) tried"
    case .busy: "⤺ \(app) was too busy for \(who)"
    case .unavailable, .mismatch: "⤺ \(app) could not make a state of \(who)"
    }
  }
}

extension Record {
  /// Whether it reports an action that changed nothing because a validator rejected it or the app
  /// was locked. SurfLive writes these texts.
  package var isRefusal: Bool {
    kind == .log(.warning)
      && (name.hasPrefix("rejected: ") || name.hasPrefix("refused while locked: "))
  }
}

extension Instance {
  /// Why no row is ahead of the app's position.
  package var forwardEnd: String {
    if case .elsewhere = timeline.position {
      return "\(label) is in a state that is in no row, so none is next"
    }
    // The newest row may have grown from an older one.
    if let row = timeline.position.row,
      case .row(let tip) = timeline.target(before: timeline.newestNumber.next, skipsHoles: true),
      tip > row
    {
      return "no row grew from row \(row); the tip is row \(tip)"
    }
    return "\(label) is at the tip already"
  }
}
